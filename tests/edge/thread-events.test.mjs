// Tests the log of a thread's events in Durable Objects.
import { testInObjects } from './in-object.mjs';

testInObjects('thread-events.cases.mjs');
