/* SPDX-License-Identifier: Apache-2.0 */
package org.meteorshower.lab.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.meteorshower.lab.torture.Sample.What;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class TimelineSvgTest {
    private static final List<String> DCS = List.of("eu", "us");

    private static Document draw(List<Sample> samples, List<FaultSpan> spans) throws Exception {
        String svg = TimelineSvg.of(new Timeline(DCS, samples), spans, "a <title> & more");
        assertThat(svg).doesNotContain("NaN").doesNotContain("Infinity");
        return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new InputSource(new StringReader(svg)));
    }

    @Test
    void aRunIsDrawnWithItsFaults() throws Exception {
        List<Sample> samples = List.of(
                new Sample(100_000_000, 101_000_000, 0, 0, What.READ, true),
                new Sample(2_100_000_000L, 2_190_000_000L, 0, 0, What.WRITE, false),
                new Sample(2_200_000_000L, 4_200_000_000L, 1, 1, What.FAILED, false));
        FaultSpan span =
                new FaultSpan(new Fault(FaultKind.CLOCK, "us", 0, 0, -5_000), 1, 2_000_000_000L, 3_000_000_000L);

        Document drawn = draw(samples, List.of(span));

        assertThat(drawn.getDocumentElement().getTextContent()).contains("clock of us -5 s", "a <title> & more");
        assertThat(drawn.getElementsByTagName("path").getLength()).isGreaterThan(2);
    }

    @Test
    void aRunInWhichNothingHappenedIsDrawnToo() throws Exception {
        assertThat(draw(List.of(), List.of()).getElementsByTagName("text").getLength())
                .isPositive();
    }
}
