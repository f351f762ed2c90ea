/** What a CLI is given in place of the key. The gateway puts the key where this stands, so that no program ever holds it. */
export const keyStandIn = 'bench-gateway-key'
