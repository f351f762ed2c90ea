import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { folderOf } from '../../helpers/machine/temp.ts'
import { bench, benchOk, refused, stepsOf } from '../../helpers/runs/cli.ts'

const code = 'export const add = (a, b) => a - b\n'

/** A folder with a text that asks for a change, and the file to change. */
function project(): string {
  const cwd = folderOf({ 'issue.md': 'Mend add.\n', 'sum.mjs': code })
  return cwd
}

const callsIn = (folder: string) => stepsOf(folder).filter(({ kind }) => kind === 'tool')
const toolsIn = (folder: string) =>
  JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')).methods.map(
    (one: { tools: unknown }) => one.tools,
  )
const known = { workspace: { kind: 'workspace', allow: ['read', 'list', 'write'] } }
const args = ['--tools', 'write,read,list', '--tool-turns', '4', '--seed', '3', '--quiet']

describe('tools are given to the agents', () => {
  it('of bench stage, whose calls see the files of the workflow', async () => {
    const cwd = project()
    const plan = await bench(['stage', 'plan', 'issue.md', 'w1', ...args, '-o', 'plan'], { cwd })
    expect(plan.stderr).toContain(
      'plan: the tools that it is given (read, list, write) change nothing: only roles of kind produce get them, and planner is of kind decide',
    )
    expect(toolsIn(join(cwd, 'plan'))).toEqual([undefined])
    expect(await benchOk(['show', 'plan'], { cwd })).not.toMatch(/read, list/)
    await benchOk(['stage', 'build', 'issue.md', 'w1', ...args, '-o', 'build'], { cwd })
    expect(toolsIn(join(cwd, 'build'))).toEqual([{ known, given: ['workspace'], turns: 4 }])
    const results = callsIn(join(cwd, 'build')).flatMap((step) => (step.kind === 'tool' ? [step.result] : []))
    expect(results.join('\n')).toContain('sum.mjs')
    for (const run of ['plan', 'build'])
      expect(await benchOk(['replay', run], { cwd })).toMatch(/no divergence/)
    expect(readFileSync(join(cwd, 'sum.mjs'), 'utf8')).toBe(code)
    await refused(
      ['stage', 'build', 'issue.md', 'w1', '--tools', 'raed', '--quiet'],
      ['no tool "raed". Did you mean "read"?'],
      { cwd },
    )
  })

  it('of a run with an instruction, whose calls see a copy of the folder', async () => {
    const cwd = project()
    mkdirSync(join(cwd, 'app'))
    cpSync(join(cwd, 'sum.mjs'), join(cwd, 'app/sum.mjs'))
    const request = ['run', '--instruction', 'issue.md', '--workspace', 'app', '--epochs', '4']
    await benchOk([...request, '--methods', 'baseline', ...args, '--out', 'run'], { cwd })
    expect(toolsIn(join(cwd, 'run'))).toEqual([{ known, given: ['workspace'], turns: 4 }])
    const results = callsIn(join(cwd, 'run')).flatMap((step) => (step.kind === 'tool' ? [step.result] : []))
    expect(results.join('\n')).toContain('sum.mjs')
    expect(await benchOk(['replay', 'run'], { cwd })).toMatch(/no divergence/)
    expect(readFileSync(join(cwd, 'app/sum.mjs'), 'utf8')).toBe(code)
  })
})
