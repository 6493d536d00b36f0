/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.simulate;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Plans, which are records of numbers, names, lists and such records, as JSON with the records' own names. */
final class PlanJson {
    private final ObjectMapper mapper = new ObjectMapper()
            .setVisibility(PropertyAccessor.ALL, Visibility.NONE)
            .setVisibility(PropertyAccessor.FIELD, Visibility.ANY)
            .setVisibility(PropertyAccessor.CREATOR, Visibility.ANY)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES);

    ObjectNode of(Object plan) {
        return mapper.valueToTree(plan);
    }

    /** Throws {@link IllegalArgumentException}, which says where, if it is no such plan. */
    <T> T to(ObjectNode json, Class<T> type) {
        try {
            return mapper.treeToValue(json, type);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("this is no plan: " + e.getMessage(), e);
        }
    }
}
