// Tests the readers of a thread's events in Durable Objects, with streams of the same isolate.
import { testInObjects } from './in-object.mjs';

testInObjects('thread-watchers.cases.mjs');
