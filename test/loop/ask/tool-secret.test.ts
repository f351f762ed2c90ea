import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withheldText } from '../../../src/loop/branch/trial-state.ts'
import { agentThatCalls, toolsOf } from '../../helpers/agents/agent-that-calls.ts'
import { type AnyContext, answerTask, playTrial, strategyOf } from '../../helpers/runs/trial.ts'
import { plainRecord } from '../../helpers/tools/random-calls.ts'

const task = answerTask({ output: 'files', graders: [] }, { 'a.txt': 'alpha\n' })
const solution = 'the solution'

/** Two asks: the first is answered with the solution, and the second reads the files that it is in. */
const agent = (text = solution) =>
  agentThatCalls((request) => {
    if (request.trial.key === '#0.1') return { text: `FILE: a.txt\n\`\`\`\n${text}\n\`\`\``, secret: true }
    return request.tools?.turns.length
      ? { text: 'done', secret: true }
      : [['read', { path: 'a.txt' }], ['list'], ['read', { path: 'b.txt' }]]
  })
const strategy = strategyOf(async ({ ask }: AnyContext) => {
  await ask('solver', 'one')
  await ask('solver', 'two')
  return { stopReason: 'done' }
})

it('results of workspace tools are withheld in a trial that knows the reference solution, and replay reads again', async () => {
  const first = agent()
  const { steps, folder, record } = await playTrial({ agent: first, strategy, task, tools: toolsOf() })
  const results = steps.flatMap((step) => (step.kind === 'tool' ? [step.result] : []))
  expect(results).toEqual([withheldText, withheldText, withheldText])
  expect(first.requests.at(-1)?.tools?.turns[0]?.results.map(({ text }) => text)).toMatchSnapshot()
  expect(readFileSync(join(folder, 'steps.jsonl'), 'utf8')).not.toContain(solution)

  const again = agent()
  const replayed = await playTrial({ agent: again, strategy, task, tools: toolsOf(), folder, replay: true })
  expect(replayed.divergences).toEqual([])
  expect(plainRecord(replayed.record)).toBe(plainRecord(record))
  const other = await playTrial({
    agent: agent('another'),
    strategy,
    task,
    tools: toolsOf(),
    folder,
    replay: true,
  })
  expect(other.divergences.length).toBeGreaterThan(0)
})
