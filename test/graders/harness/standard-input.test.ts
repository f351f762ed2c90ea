import { describe, expect, it } from 'vitest'
import { allOf, judgeModule } from '../../helpers/graders/judge-module.ts'

const source = `import fs from 'node:fs'
import { spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
export const atImport = fs.readFileSync(0, 'utf8')
export const again = () => fs.readFileSync(0, 'utf8')
export const part = () => fs.readSync(0, Buffer.alloc(9), 0, 9, null)
export const stream = async () => { let text = ''; for await (const chunk of process.stdin) text += chunk; return text }
export const lines = () => new Promise((resolve) => { const all = []
  createInterface({ input: process.stdin }).on('line', (line) => all.push(line)).on('close', () => resolve(all)) })
export const child = () => spawnSync('cat', { stdio: ['inherit', 'pipe', 'inherit'] }).stdout.toString()
export const print = () => { fs.writeSync(1, 'a line\\n'); console.log('another'); process.stdout.write('no end'); return 1 }`

describe('standard input of a solution', { timeout: 60_000 }, () => {
  it('is at its end, at import and later, whatever reads it', async () => {
    const bodies = {
      'at import': `assert.equal(x.atImport, '')`,
      'in a call': `assert.equal(x.again(), ''); assert.equal(x.part(), 0)`,
      'as a stream': `assert.equal(await x.stream(), '')`,
      'in a program that it starts': `assert.equal(x.child(), '')`,
      'and what it prints is no answer': `assert.equal(x.print(), 1)`,
    }
    expect(await judgeModule(source, bodies)).toBe(allOf(bodies))
    // A stream is read once.
    const lines = { 'by lines': `assert.deepEqual(await x.lines(), [])` }
    expect(await judgeModule(source, lines)).toBe(allOf(lines))
  })
})
