// Tests what a caller's object counts in the SQLite storage of a Durable Object.
import { testInObjects } from './in-object.mjs';

testInObjects('caller-counts.cases.mjs');
