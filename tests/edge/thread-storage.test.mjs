// Tests how threads are stored in the SQLite storage of a Durable Object.
import { testInObjects } from './in-object.mjs';

testInObjects('thread-storage.cases.mjs');
