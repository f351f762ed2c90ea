import { describe } from 'vitest'
import { sandboxes } from '../../helpers/machine/sandboxes.ts'
import { describeHostileServers } from '../../helpers/tools/hostile-scenario.ts'
import { hostileCalls } from '../../helpers/tools/hostile-servers.ts'

/** What they do to processes, which each sandbox ends in its own way; the nightly run tries all of them everywhere. */
const toProcesses = [
  'ignores-signals',
  'leaves-children',
  'hangs',
  'loops',
  'stops-the-bridge',
  'kills-the-bridge',
  'exits-in-call',
  'exits-with-children',
  'endless-line',
  'stderr-in-call',
  'takes-the-socket',
]

describe.each(sandboxes)('a hostile MCP server in the sandbox %s', (...sandbox) => {
  const [name] = sandbox
  const some = hostileCalls.filter(([server]) => toProcesses.includes(server))
  describeHostileServers(sandbox, name === 'none' ? some : hostileCalls)
})
