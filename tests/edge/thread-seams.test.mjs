// Tests in Durable Objects what the parts of a thread do together.
import { testInObjects } from './in-object.mjs';

testInObjects('thread-seams.cases.mjs');
