import type { GatewayRules } from '../../../src/agents/gateway/forward.ts'
import { createRefusals } from '../../../src/agents/gateway/refusals.ts'
import { allWires } from '../../../src/agents/gateway/wires.ts'

/** Rules of a gateway for a program that may ask these models on all wires; any model without a list. */
export function gatewayRules(
  models: readonly string[] = [],
  rules: Partial<Omit<GatewayRules, 'models' | 'isOwnModel'>> = {},
): GatewayRules {
  return {
    wires: allWires,
    models,
    isOwnModel: (asked) => (models.length === 0 ? asked !== '' : models.includes(asked)),
    allowProviderTools: false,
    refusals: createRefusals(),
    ...rules,
  }
}
