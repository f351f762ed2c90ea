// Runs this Node again and again, one process after the other. Arguments: how many times, then those for Node.
// It reads what they print, as one must who wants to know how tests went.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

const [times, ...args] = process.argv.slice(2)
for (let i = 0; i < Number(times); i++) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  child.stdout.resume()
  child.stderr.resume()
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`)
}
