import { describe } from 'vitest'
import { sandboxes } from '../../helpers/machine/sandboxes.ts'
import { describeHostileServers } from '../../helpers/tools/hostile-scenario.ts'
import { hostileCalls } from '../../helpers/tools/hostile-servers.ts'

describe.each(sandboxes)('a hostile MCP server in the sandbox %s', (...sandbox) => {
  describeHostileServers(sandbox, hostileCalls)
})
