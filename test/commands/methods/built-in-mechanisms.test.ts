import { expect, it } from 'vitest'
import { createActing } from '../../../src/analysis/acting.ts'
import { builtInMechanisms, mechanismsOf } from '../../../src/commands/methods/built-in-mechanisms.ts'
import { resolveOptions } from '../../../src/commands/methods/documents.ts'
import { addMark } from '../../../src/replies/data/judge-mark.ts'
import type { Strategy } from '../../../src/strategy.ts'
import { strategies } from '../../../strategies/index.ts'
import { castOf } from '../../helpers/fanout/cast.ts'
import { tableOf } from '../../helpers/house/tables.ts'
import { codeTask } from '../../helpers/runs/sample-task.ts'
import { agentOf, answerTask, playTrial } from '../../helpers/runs/trial.ts'

interface Played {
  method: string
  options?: Record<string, unknown>
  task?: 'checked'
  replies: Record<string, readonly (string | object)[]>
  acting: Record<string, readonly number[]>
}

const played = tableOf<Played[]>(import.meta.url, 'played')

/** What the words of the table stand for: an answer, or a file that the visible check passes or not. */
const said = (text: string): string => {
  if (text === 'right') return 'Answer: 42'
  if (text === 'wrong') return 'Answer: 41'
  return /^(passes|fails) /.test(text) ? `FILE: src/sum.mjs\n\`\`\`\n// ${text}\n\`\`\`` : text
}

const check = `import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
test('says that it passes', () => assert.match(readFileSync('src/sum.mjs', 'utf8'), /passes/))
`
/** The grader and the visible check see other words, so that work that is right may fail the check. */
const checkedTask = () =>
  codeTask({
    checks: { 'sum.test.mjs': check },
    tests: {},
    spec: {
      checks: { runner: 'node-test', timeoutMs: 20_000 },
      graders: [{ kind: 'pattern', require: ['right'] }],
    },
  })

/** Plays a method whose roles reply so; the last reply is given again. What no reply is given for is played by a good cast. */
async function play({ method, options = {}, task, replies }: Played) {
  const strategy = strategies.find(({ name }) => name === method) as Strategy
  const resolved = resolveOptions(strategy, strategy.options.parse(options), true)
  const asked = new Map<string, number>()
  const others = castOf()
  const agent = agentOf(async (request) => {
    const own = replies[request.role]
    if (!own || (method === 'fanout' && request.work !== 'produce'))
      return others.ask(request, new AbortController().signal as never)
    const turn = asked.get(request.role) ?? 0
    asked.set(request.role, turn + 1)
    const reply = own[Math.min(turn, own.length - 1)] as string | object
    return typeof reply === 'string' ? said(reply) : JSON.stringify(addMark(request.schema, reply))
  })
  const { record } = await playTrial({
    ...{ agent, strategy, options: resolved, gradeCandidates: true },
    task: task ? checkedTask() : answerTask(),
  })
  return { record, resolved }
}

it.each(played)('$method with $options: $replies', async (row) => {
  const { record, resolved } = await play(row)
  expect(record).toMatchObject({ outcome: { status: 'completed' }, fidelity: { status: 'kept' } })
  const mechanisms = mechanismsOf([{ label: 'test', strategy: row.method, options: resolved, digest: 'd' }])
  const sums = createActing(mechanisms)
  sums.add(record)
  const [{ acting = [] } = {}] = sums.result()
  const found = acting.map(({ mechanism, trials, change }) => [
    mechanism,
    change ? [trials, change.mended, change.broken, change.same] : [trials],
  ])
  expect(Object.fromEntries(found)).toEqual(row.acting)
})

it('every built-in method says what its mechanisms are, and is played, but for programs of the user, which bench does not know', () => {
  const known = strategies.filter(({ asksModels }) => !asksModels)
  const names = known.map(({ name }) => name).sort()
  expect(Object.keys(builtInMechanisms).sort()).toEqual(names)
  expect([...new Set(played.map(({ method }) => method))].sort()).toEqual(names)
})
