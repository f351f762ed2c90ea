import { expect, it } from 'vitest'
import type { AgentRequest } from '../../../src/agents/agent.ts'
import { readFile } from '../../../src/loop/branch/workspace.ts'
import { type StageProgram, stageClient } from '../../../src/stage.ts'
import { needs } from '../../helpers/house/needs.ts'
import { filesTask } from '../../helpers/machine/programs.ts'
import { type AnyContext, agentOf, playTrial, type Setting, strategyOf } from '../../helpers/runs/trial.ts'
import { type End, endsOf, programOf } from '../../helpers/stages/stages.ts'

const agent = agentOf(({ role, prompt, schema }) => {
  if (schema) return '{"steps":["a","b"]}'
  return role === 'solver' ? 'FILE: made.txt\n```\nmade by an agent\n```' : `you said: ${prompt}`
})

/** The state of a chain, as method `chained` begins one. */
const chain = {
  ...{ version: 1, workflow_id: 'w1', issue: 'i1', task: 'Do it.', output: 'files', round: 1, stages: [] },
}

/** Runs one stage that has the client; gives how it ended, its state and its files. */
async function runClient(
  program: StageProgram,
  { state = JSON.stringify(chain), ...setting }: Partial<Setting> & { state?: string } = {},
) {
  const strategy = strategyOf(async (context: AnyContext) => {
    const files = { ...program.files, 'bench.mjs': stageClient() }
    const { workspace, ...end } = await context.stage('one', { ...program, files, state })
    context.workspace.adopt(workspace)
    const texts = Object.fromEntries(workspace.list().map((path) => [path, workspace.read(path)]))
    return { stopReason: 'done', answer: '42', state: { ends: [end], texts } }
  })
  const played = await playTrial({ agent, strategy, task: filesTask(), ...setting })
  const [end] = endsOf(played) as [End]
  return { end, played, texts: played.record.state?.texts as Record<string, string> }
}

const shell = (code: string): StageProgram =>
  programOf('own.sh', {
    command: ['sh', '{stage}/own.sh'],
    code: `bench() { node "$BENCH_STAGE/bench.mjs" "$@"; }\n${code}`,
  })

it('a stage in shell asks, shows texts, gets data and changed files, and changes its state by the clients alone', async () => {
  const asked: AgentRequest[] = []
  const recording = agentOf((request) => {
    asked.push(request)
    return agent.ask(request, new AbortController().signal)
  })
  const program = programOf('clients.sh', { command: ['sh', '{stage}/clients.sh'] })
  const { end, texts, played } = await runClient(program, { agent: recording })
  expect(end).toMatchObject({ exitCode: 0, output: 'made by an agent\nthe plan\nb' })
  expect(JSON.parse(end.state ?? '')).toEqual({
    ...chain,
    plan: 'the plan',
    own: { steps: { steps: ['a', 'b'] } },
  })
  expect(texts).toMatchObject({
    'stdin.txt': 'you said: From stdin.\n',
    'data.txt': '{"steps":["a","b"]}\n',
    'made.txt': 'made by an agent\n',
  })
  expect(texts['plan.txt']).toContain('Plan it.\n\n## note\na note')
  expect(asked[0]?.system).toContain('Be brief.')
  expect(played.record.spent.calls).toBe(4)
})

needs('python3').it('a stage in Python asks and changes its state by the clients alone', async () => {
  const program = programOf('clients.py', { command: ['python3', '{stage}/clients.py'] })
  const { end } = await runClient(program)
  expect(end.exitCode).toBe(0)
  expect(end.output).toContain('bench: [own.codes] is not in the state. Its fields: version, workflow_id,')
  expect(JSON.parse(end.state ?? '')).toEqual({
    ...chain,
    plan: 'you said: Plan “it”.\n',
    own: { codes: [0, 1] },
  })
})

it('an ask without a reply says why on stderr, prints nothing, and has an exit code for each reason', async () => {
  const refusing = agentOf(({ role }) =>
    role === 'solver' ? { error: { reason: 'refusal', message: 'I will not.' } } : 'a reply',
  )
  const code = `try() { bench "$@"; echo "code $?"; }
{ try ask solver Build
try ask boss Plan
try ask planner ''
try ask planner Plan --show nothing --shape none.json --work magic
try ask planner Plan --loud
try ask
try ask planner Plan it
try tell planner
try ask planner Plan
try ask planner Plan --json
try ask planner Plan; } > out.txt 2>&1`
  const { played } = await runClient(shell(code), { agent: refusing, limits: { calls: 2 } })
  expect(played.record.outcome.status).toBe('limited')
  const usage = 'usage: node bench.mjs ask ROLE'
  const expected = [
    ['bench: agent, refusal: ', 1],
    ['bench: invalid: this stage may not ask "boss"; it may ask solver, judge, planner, summarizer', 2],
    ['bench: [PROMPT] is empty.', 2],
    [
      'bench: [--show nothing] is not NAME=FILE. Write for example --show notes=notes.md.\nbench: [--shape none.json] none.json cannot be read (ENOENT). Give a text file.\nbench: [--work magic] is unknown.',
      2,
    ],
    ["bench: Unknown option '--loud'", 2],
    [`bench: ROLE is missing.\n${usage}`, 2],
    [`bench: it is one word too many; quote texts.\n${usage}`, 2],
    [`bench: tell is unknown.\n${usage}`, 2],
    ['a reply\n', 0],
    ['{"error":{"reason":"limit","message":', 3],
    ['bench: limit: ', 3],
  ] as const
  const said = readFile(played.branch.state, 'out.txt') ?? ''
  const parts = said.split(/code (\d)\n/)
  expect(expected.map((_, i) => Number(parts[2 * i + 1]))).toEqual(expected.map(([, exit]) => exit))
  for (const [i, [text]] of expected.entries()) expect(parts[2 * i]?.slice(0, text.length)).toBe(text)
  expect(said).not.toMatch(/^\s+at |node:internal/m)
})

it('an ask is refused with exit code 4 while another has no answer', async () => {
  const slow = agentOf(() => new Promise((resolve) => setTimeout(resolve, 1500, 'late')))
  const code = `bench ask planner Plan > first.txt &
sleep 0.7
bench ask planner Plan > second.txt 2>&1; echo $? >> second.txt
wait`
  const { texts } = await runClient(shell(code), { agent: slow, mode: 'live' })
  expect(texts).toMatchObject({
    'first.txt': 'late\n',
    'second.txt': expect.stringMatching(/^bench: busy: .*no answer yet.*\n4\n$/),
  })
})

it('a state of a chain stays valid and of one workflow, and any other state is free', async () => {
  const wrong = [
    `--set plan=words`,
    `--set workflow_id='"other"'`,
    `--set round=0 --set plan='"lost"'`,
    `--set review='{"verdict":"maybe"}'`,
    `--set magic=1`,
    `--set task.part=1`,
    `task --set round=2`,
  ]
  const code = wrong.map((one) => `bench state ${one}; echo "code $?"`).join('\n')
  const { end } = await runClient(shell(`{ ${code}\n} 2>&1`))
  expect(JSON.parse(end.state ?? '')).toEqual(chain)
  expect(end.output).toMatchSnapshot()
  const free = await runClient(
    shell(`bench state --set a.b='[1,{"c":null}]' --set __proto__='"x"'; bench state a.b.1.c; bench state`),
    { state: '{"mine":true}' },
  )
  const after = '{"mine":true,"a":{"b":[1,{"c":null}]},"__proto__":"x"}'
  expect(JSON.stringify(JSON.parse(free.end.state ?? ''))).toBe(after)
  expect(free.end.output).toMatch(/^null\n\{\n/)
})

it.each(['{"half":', '[]', 'null', '""'])('the state file %s is refused with words', async (state) => {
  const { end } = await runClient(shell(`bench state; bench state --set a=1; exit 0`), { state })
  const words =
    'bench: [BENCH_STATE] is no object of JSON. A program has overwritten it. Write it by bench state --set alone.'
  expect(end).toMatchObject({ state, output: `${words}\n${words}` })
})
