import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Task } from '../../../src/schema/task.ts'
import { gitTreeHash } from '../../../src/workflows/chain/run-stage.ts'
import { chained } from '../../../strategies/chained.ts'
import { chainOfTrial } from '../../helpers/chained/chained-with.ts'
import { withoutWall } from '../../helpers/machine/programs.ts'
import { tempFolder } from '../../helpers/machine/temp.ts'
import { codeTask, rightSum } from '../../helpers/runs/sample-task.ts'
import { agentOf, answerTask, playTrial, type Setting } from '../../helpers/runs/trial.ts'
import { git, writeFiles } from '../../helpers/stages/chained.ts'

const block = (path: string, text: string) => `FILE: ${path}\n\`\`\`\n${text}\`\`\`\n`
const approve = JSON.stringify({ verdict: 'approve', comments: 'Good.', blocking: [] })
const texts: Readonly<Record<string, string>> = {
  planner: 'Write add.',
  reviewer: approve,
  documenter: 'It adds now.',
}
/** An agent for each role; the builder says these texts in turn. */
const agentThatBuilds = (...works: string[]) => {
  let built = 0
  return agentOf(({ role }) => texts[role] ?? (works[Math.min(built++, works.length - 1)] as string))
}

const options = { ...chained.options.parse({}) }
const startsNothing: Setting['sandbox'] = () => Promise.reject(new Error('a program was started'))
const rolesOf = ({ steps }: Awaited<ReturnType<typeof playTrial>>) =>
  steps.flatMap((step) => (step.kind === 'ask' ? step.role : []))

const ownTests = {
  'sum.test.mjs': `import test from 'node:test'
import assert from 'node:assert'
import { add } from './src/sum.mjs'
test('adds two', () => assert.equal(add(1, 2), 3))
`,
}
/** A task whose workspace has a failing test of its own. */
const withTests = (): Task => codeTask({ files: ownTests })
const right = block('src/sum.mjs', rightSum)
const wrong = block('src/sum.mjs', 'export const add = () => 1\nexport const double = () => 1\n')

const runOn = (task: Task, agent: Setting['agent'], more: Partial<Setting> = {}) =>
  playTrial({ agent, strategy: chained as Setting['strategy'], options, task, ...more })

/** The journal alone gives the same record, and nothing is started. */
async function isReplayed({ folder, record }: Awaited<ReturnType<typeof playTrial>>, task: Task) {
  const nobody = agentOf(() => 'never')
  const replayed = await runOn(task, nobody, { folder, replay: true, sandbox: startsNothing })
  expect(replayed.divergences).toEqual([])
  expect(withoutWall(replayed.record)).toEqual(withoutWall(record))
}

describe('chained on real files', () => {
  it('mends what the tests of the workspace find, and ships a patch that leads from the start to the graded tree', async () => {
    const task = withTests()
    const played = await runOn(task, agentThatBuilds(wrong, right))
    expect(played.record).toMatchObject({ passed: true, claimed: 'done', fidelity: { status: 'kept' } })
    expect(rolesOf(played)).toEqual(['planner', 'builder', 'builder', 'reviewer', 'documenter'])
    await isReplayed(played, task)
    const mending = played.steps.find((step) => step.kind === 'ask' && step.key.startsWith('build~2'))
    expect(mending).toMatchObject({ prompt: expect.stringContaining('"test_name":"adds two"') })

    const { state } = chainOfTrial(played)
    expect(state.stages.map(({ stage, status }) => `${stage} ${status}`)).toEqual([
      ...['plan done', 'build done', 'test failed', 'build done', 'test done', 'review done'],
      ...['document done', 'ship done'],
    ])
    const outputs = join(played.folder, 'artifacts', played.record.trial, 'outputs')
    expect(readFileSync(join(outputs, 'document.md'), 'utf8')).toBe('It adds now.')
    const patch = readFileSync(join(outputs, 'change.patch'), 'utf8')
    const folder = tempFolder()
    writeFiles(folder, task.files)
    writeFileSync(join(tempFolder(), 'change.patch'), patch)
    await git(folder, 'init', '--quiet')
    writeFileSync(join(folder, '.git/change.patch'), patch)
    await git(folder, 'apply', '.git/change.patch')
    await git(folder, 'add', '--all')
    const tree = (await git(folder, 'write-tree')).trim()
    expect(tree).toBe(state.ship?.tree)
    const graded: Record<string, string> = { ...task.files, 'src/sum.mjs': rightSum }
    expect(gitTreeHash({ list: () => Object.keys(graded), read: (path) => graded[path] })).toBe(tree)
  })

  it('asks nobody for a note on an answer, and starts neither test nor document nor ship', async () => {
    const played = await runOn(answerTask(), agentThatBuilds('Answer: 42'))
    expect(played.record).toMatchObject({ passed: true, claimed: 'done', fidelity: { status: 'kept' } })
    const stages = played.steps.flatMap((step) => (step.kind === 'stage' ? step.stage : []))
    expect(stages).toEqual(['plan', 'build', 'review'])
    expect(rolesOf(played)).toEqual(['planner', 'builder', 'reviewer'])
    expect(played.record.spent.calls).toBe(3)
  })
})

describe('chained with an agent that fails', () => {
  it('is no failure of the method if nobody ever answered', async () => {
    const down = agentOf(() => ({ error: { reason: 'server', message: 'it is down' } }))
    const played = await runOn(answerTask(), down)
    expect(played.record.outcome).toMatchObject({
      status: 'error',
      reason: expect.stringContaining('it is down'),
    })
  })

  it('halts, names the stage, and grades the work so far', async () => {
    const agent = agentOf(({ role }) =>
      role === 'reviewer'
        ? { error: { reason: 'refusal', message: 'I would rather not' } }
        : (texts[role] ?? right),
    )
    const played = await runOn(codeTask(), agent)
    expect(played.record).toMatchObject({ passed: true, claimed: 'halted', outcome: { status: 'completed' } })
    expect(played.record.detail).toMatch(/^stage review: .*I would rather not/)
    await isReplayed(played, codeTask())
  })

  it('keeps what its stages came to at a limit of the trial', async () => {
    const played = await runOn(withTests(), agentThatBuilds(right), { limits: { calls: 2 } })
    expect(played.record).toMatchObject({ passed: true, outcome: { status: 'limited' } })
    expect(chainOfTrial(played).ends.map(({ stage }) => stage)).toEqual(['plan', 'build', 'test'])
  })
})

it('a chain that knows the reference solution journals hashes alone, and is replayed by running its stages again', async () => {
  const agent = agentOf(({ role }) => ({ text: texts[role] ?? right, secret: role === 'builder' }))
  const played = await runOn(withTests(), agent)
  expect(played.record).toMatchObject({ passed: true, claimed: 'done' })
  const ledger = readFileSync(join(played.folder, 'steps.jsonl'), 'utf8')
  expect(ledger).not.toContain('a + b')
  expect(existsSync(join(played.folder, 'blobs'))).toBe(false)
  const outputs = join(played.folder, 'artifacts', played.record.trial, 'outputs')
  expect(readFileSync(join(outputs, 'change.patch'), 'utf8')).not.toContain('a + b')
  const replayed = await runOn(withTests(), agent, { folder: played.folder, replay: true })
  expect(replayed.divergences).toEqual([])
  expect(withoutWall(replayed.record)).toEqual(withoutWall(played.record))
})
