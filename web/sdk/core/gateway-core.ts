// Implements `GatewayCore`: one instance of the gateway's core.
import { BaseStrata } from './base-strata.js';
import type { GatewayCore } from '../types/gateway-core.js';
import type { JsonInput } from '../types/json.js';
import type { RepairOptions, Repaired } from '../types/lint.js';

export type * from '../types/gateway-core.js';

/** Implements `GatewayCore`. */
export class OpenGatewayCore extends BaseStrata implements GatewayCore {
  repair(body: JsonInput, options: RepairOptions): Repaired {
    const { core } = this.instance;
    return this.check(body, options, () => core.repair());
  }
}
