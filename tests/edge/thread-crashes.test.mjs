// Tests that a thread survives the end of its process at any of its writes, in Durable Objects.
import { testInObjects } from './in-object.mjs';

testInObjects('thread-crashes.cases.mjs');
