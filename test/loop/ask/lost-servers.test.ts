import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ResolvedTool } from '../../../src/schema/tool/tool-set.ts'
import { agentThatCalls, type ScriptedTurn, toolsOf } from '../../helpers/agents/agent-that-calls.ts'
import { answerTask, playTrial, type Setting, strategyOf, toolCallsIn } from '../../helpers/runs/trial.ts'
import { cutAfter } from '../../helpers/tools/random-calls.ts'

const task = answerTask({}, { 'a.txt': 'alpha\n' })
const strategy = strategyOf(async ({ ask }) => {
  await ask('solver', 'one')
  return { stopReason: 'done' }
})

/** A server that does not start, since the run has no copy of its file: each call has the same answer, without a process. */
const server = (stateless: boolean): ResolvedTool => ({
  ...{ kind: 'mcp', command: ['node', 'gone.mjs'], env: {}, workspace: false, stateless },
  files: [{ path: 'gone.mjs', digest: 'd' }],
  ...{ timeoutMs: 1000, maxBytes: 1000, server: { name: 's', version: '1' } },
  definitions: ['a', 'b'].map((name) => ({
    ...{ name: `jobs__${name}`, original: name, description: '', inputSchema: { type: 'object' } },
  })),
})

const play = (turns: readonly ScriptedTurn[], stateless: boolean, change: Partial<Setting> = {}) =>
  playTrial({
    ...{ agent: agentThatCalls(turns), strategy, task },
    tools: toolsOf({ jobs: server(stateless) }),
    ...change,
  })

it('a resumed ask of a server with a state says in a sentence that it begins anew, and this is no divergence', async () => {
  const turns: ScriptedTurn[] = [[['jobs__a']], [['jobs__b']]]
  for (const stateless of [false, true]) {
    const { folder } = await play(turns, stateless)
    const lines = readFileSync(join(folder, 'steps.jsonl'), 'utf8').split('\n')
    const at = lines.findIndex((line) => line.includes('"key":"#0.2.1"'))
    const again = await play(turns, stateless, { folder: cutAfter(folder, at + 1) })
    expect(again.divergences).toEqual([])
    expect(again.begunAnew).toEqual(
      stateless
        ? []
        : [
            `trial ${again.record.trial}: the MCP server "jobs" lost its state when the last session ended, so ask #0 goes on before its first call of it (#0.1.1): 3 steps are made again, and what was paid for them stays in the bill as void`,
          ],
    )
  }
})

it('a call of a server is refused with a true reason: by its equal answers, or by equal files', async () => {
  const turns: ScriptedTurn[] = [[['jobs__a'], ['jobs__a'], ['jobs__a'], ['jobs__b'], ['jobs__a']]]
  const outcomes = async (stateless: boolean) => {
    const { steps } = await play(turns, stateless)
    return toolCallsIn(steps).map(({ outcome, result }) => (outcome === 'repeated' ? result : outcome))
  }
  expect(await outcomes(false)).toMatchSnapshot()
  const reason = expect.stringContaining('twice before, with the same files and notes as now, so')
  expect(await outcomes(true)).toEqual(['broken', 'broken', reason, 'broken', reason])
})
