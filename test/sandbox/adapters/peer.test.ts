import { beforeAll, expect, it } from 'vitest'
import { openSandbox, type Sandbox } from '../../../src/sandbox/open-sandbox.ts'
import type { SandboxCommand } from '../../../src/sandbox/sandbox.ts'
import { InfrastructureError } from '../../../src/text/errors.ts'
import { needs } from '../../helpers/house/needs.ts'
import { programText, sandboxes } from '../../helpers/machine/sandboxes.ts'

const answering = {
  files: { 'answer.mjs': programText('answer-peer.mjs') },
  command: [process.execPath, 'answer.mjs'],
}
const node = (script: string) => ({ files: {}, command: [process.execPath, '-e', script] })

for (const [name, needed] of sandboxes)
  needs(...needed).describe(`a command with a peer in the sandbox ${name}`, { timeout: 60_000 }, () => {
    let sandbox: Sandbox
    beforeAll(async () => {
      sandbox = await openSandbox(name)
    })
    const asking = (questions: string[], peer: SandboxCommand['peer'], timeoutMs = 20_000) =>
      sandbox.run({
        files: { 'ask.mjs': programText('ask-peer.mjs') },
        command: [process.execPath, 'ask.mjs', ...questions],
        peer,
        timeoutMs,
      })

    it("reads the peer's output, and the peer reads its output; each has its own stderr", async () => {
      const result = await asking(['one', 'three'], answering)
      expect(result).toMatchObject({ exitCode: 0, killedBy: null, stdout: '', stderr: '3\n5\n' })
      expect(result.peer?.stderr).toBe('the peer answers\n')
    })

    it("passes more data than a pipe's capacity in both directions", async () => {
      const result = await asking(
        ['x'.repeat(100_000)],
        node(`process.stdin.once('data', () => {
        process.stdout.write('y'.repeat(3_000_000) + '\\n') })`),
      )
      expect(result).toMatchObject({ exitCode: 0, truncated: true })
      expect(result.stderr).toMatch(/^y+\n\[output cut\]\ny+\n$/)
    })

    it('reads the end of its input when the peer ends, and the result says how the peer ended', async () => {
      const result = await asking(['leave', 'more'], answering)
      expect(result).toMatchObject({ exitCode: 0, stderr: '(end)\n', peer: { exitCode: 7, killedBy: null } })
    })

    it('reads the end of its input even if the peer left a daemon with its output open', async () => {
      const daemon = `require('child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'],
      { detached: true, stdio: 'inherit' }); process.exit(3)`
      const result = await asking(['one'], node(daemon))
      expect(result).toMatchObject({ exitCode: 0, stderr: '(end)\n', peer: { exitCode: 3 } })
    })

    it('ends a peer that would run for ever', async () => {
      const result = await asking([], node('process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'))
      expect(result).toMatchObject({ exitCode: 0, peer: { exitCode: null, killedBy: 'SIGKILL' } })
      expect(result.durationMs).toBeLessThan(5000)
    })

    it('ends at its limit together with the peer', async () => {
      const result = await asking(['never answered'], node('setInterval(() => {}, 1000)'), 400)
      expect(result).toMatchObject({ timedOut: true, ended: 'wall', killedBy: 'SIGKILL' })
      expect(result.peer).toMatchObject({ killedBy: 'SIGKILL' })
    })

    it('does not see the files of the peer', async () => {
      const look = `console.log(require('fs').readdirSync('.').join()); require('fs').readSync(0, Buffer.alloc(9))`
      const result = await asking(['look'], { ...node(look), files: { secret: '' } })
      expect(result.stderr).toBe('secret\n')
    })

    it('is not started if its peer is missing', async () => {
      const missing = asking([], { files: {}, command: ['no-such-program'] })
      await expect(missing).rejects.toThrow(/no-such-program was not found/)
    })

    it('reads and writes at other descriptors if its standard input is to be empty', async () => {
      const apart = `const fs = require('fs'); const input = new (require('net').Socket)({ fd: 5 })
        input.on('data', (chunk) => { console.log('input ' + fs.readFileSync(0).length); fs.writeSync(6, chunk.length - 1 + '\\n') })`
      const result = await sandbox.run({
        files: { 'ask.mjs': programText('ask-peer.mjs') },
        command: [process.execPath, 'ask.mjs', 'three'],
        peer: node(apart),
        peerStdin: 'empty',
        timeoutMs: 20_000,
      })
      expect(result).toMatchObject({ exitCode: 0, stderr: '5\n' })
      expect(result.peer?.stderr).toBe('input 0\n')
    })

    it('accepts no other input', async () => {
      const both = sandbox.run({ ...answering, peer: answering, stdin: 'text', timeoutMs: 1000 })
      await expect(both).rejects.toThrow(InfrastructureError)
    })
  })
