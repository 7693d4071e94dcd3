// Tests a thread with much that happens at random moments, in Durable Objects.
import { testInObjects } from './in-object.mjs';

testInObjects('thread-random.cases.mjs');
