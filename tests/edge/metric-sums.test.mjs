// Tests how the counts of isolates are reported and summed, in Durable Objects.
import { testInObjects } from './in-object.mjs';

testInObjects('metric-sums.cases.mjs');
