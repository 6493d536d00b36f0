@org.jspecify.annotations.NullMarked
package org.meteorshower.lab.search;
