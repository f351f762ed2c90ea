import { expect, it, onTestFinished } from 'vitest'
import type { TrialState } from '../../../src/loop/branch/trial-state.ts'
import { openRunBudget } from '../../../src/loop/budget/run-budget.ts'
import { endStalledTrials } from '../../../src/loop/work/stalled-trials.ts'
import type { SandboxRun } from '../../../src/sandbox/sandbox.ts'
import type { ResolvedTool } from '../../../src/schema/tool/tool-set.ts'
import { agentThatCalls, toolsOf } from '../../helpers/agents/agent-that-calls.ts'
import { type AnyContext, agentOf, playTrial, type Setting, strategyOf } from '../../helpers/runs/trial.ts'

/** Called when something waits for ever. */
let onIdle = () => {}
const never = () => {
  onIdle()
  return new Promise<never>(() => {})
}
const deaf = agentOf(never, { name: 'deaf', paid: true })

/** Plays a trial and emits `beforeExit` after its first endless wait, as Node does. */
async function playIdly(setting: Setting & { ownCode?: false }) {
  const running: TrialState[] = []
  const before = process.listeners('beforeExit')
  const end = endStalledTrials(running, new AbortController().signal)
  const listener = process.listeners('beforeExit').find((listener) => !before.includes(listener))
  if (!listener) throw new Error('nobody listens')
  let timer: NodeJS.Timeout | undefined
  onIdle = () => {
    timer ??= setInterval(() => listener(0), 20)
  }
  onTestFinished(() => {
    clearInterval(timer)
    end()
  })
  const { ownCode, ...rest } = setting
  return playTrial({ ...rest, ...(ownCode !== false && { userCode: true }), running })
}

const asking = async ({ ask }: AnyContext) => {
  await ask('solver', 'x')
  return { stopReason: 'done' as const }
}

it('a trial whose agent never replies ends in error, with the paid call in the ledger', async () => {
  const { record, steps } = await playIdly({ agent: deaf, strategy: strategyOf(asking) })
  expect(record).toMatchObject({
    passed: null,
    outcome: {
      status: 'error',
      reason:
        'agent deaf as "solver": its reply never came: nothing is left in the process that could bring it',
    },
  })
  expect(steps).toMatchObject([{ kind: 'ask', payer: 'void', maybePaid: true, agent: 'deaf', costUsd: null }])
})

it.each([
  ['catches the error', (ask: Promise<unknown>) => ask.catch(() => {})],
  ['keeps waiting', (ask: Promise<unknown>) => ask.catch(never)],
  ['did not await the ask', async () => {}],
])(
  'a trial whose agent never replies ends in error when the method %s, and the run’s limits count the call',
  async (_, wait) => {
    const uncounted: string[] = []
    const runBudget = openRunBudget({ run: { calls: 9, tokens: 9 }, methods: {} }, new Map(), () => 0, {
      onAlert() {},
      onUncounted: ({ limit }) => {
        uncounted.push(limit)
        return false
      },
    })
    const strategy = strategyOf(async ({ branch }) => {
      await branch('side', ({ ask }) => wait(ask('solver', 'x')))
      return { answer: '42', stopReason: 'done' }
    })
    const { record, steps } = await playIdly({ agent: deaf, strategy, runBudget })
    expect(record.outcome.status).toBe('error')
    expect(steps).toMatchObject([{ kind: 'ask', maybePaid: true }])
    await runBudget.whenIdle()
    expect(runBudget.limitUses()).toMatchObject([{ used: 1 }, { used: 0, unreported: 1 }])
    expect(uncounted).toEqual(['tokens'])
  },
)

it('a method that waits for ever with no reply outstanding fails', async () => {
  const strategy = strategyOf(async (context) => {
    await asking(context)
    return never()
  })
  const { record } = await playIdly({ agent: agentOf(() => 'Answer: 42', { paid: true }), strategy })
  expect(record).toMatchObject({
    outcome: { status: 'failed', reason: 'the method broke: it waits for something that never comes' },
    spent: { calls: 1, costUsd: 0.01 },
  })
})

it.each([
  ['of built-in code', { ownCode: false }],
  ['with code of the user', {}],
] as const)(
  'a call of an MCP server ends with its trial %s, long before its own time limit',
  async (_, change) => {
    let isCut = false
    const tool: ResolvedTool = {
      ...{ kind: 'mcp', command: ['node', 'x'], files: [], env: {}, workspace: false, stateless: false },
      ...{ timeoutMs: 600_000, maxBytes: 1000, server: { name: 's', version: '1' } },
      definitions: [{ name: 's__wait', original: 'wait', description: '', inputSchema: { type: 'object' } }],
    }
    const sandbox: SandboxRun = ({ signal }) =>
      new Promise((_, reject) => {
        onIdle()
        signal?.addEventListener('abort', () => {
          isCut = true
          reject(signal.reason)
        })
      })
    const { record } = await playIdly({
      ...{ agent: agentThatCalls([[['s__wait']]]), strategy: strategyOf(asking), sandbox, ...change },
      tools: toolsOf({ s: tool }),
    })
    expect(record.outcome.reason).toContain('it waits for something that never comes')
    expect(isCut).toBe(true)
  },
)
