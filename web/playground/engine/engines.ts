// Defines what the requests of a prompt are made with.
import type { Strata } from '../../index.js';
import type { Templates } from '../../templates/index.js';

/** The core, and the template engine. */
export interface Engines {
  strata: Strata;
  templates: Templates;
}
