import { scanReply } from '../../replies/scan.ts'
import { partsOf } from '../../replies/scan-regions.ts'
import type { GateVerdict } from '../../schema/machine/decision.ts'
import type { AgentRun } from '../../schema/machine/machine-record.ts'
import type { Workspace } from '../../strategy.ts'
import { AgentError, LimitError } from '../../text/errors.ts'
import { filesContext, replyContext } from '../work-context.ts'
import { askInState, type Said } from './ask-agent.ts'
import { type Output, type Score, scoredText } from './machine-outputs.ts'
import { type Context, type MachineRun, outputFacts, spentBetween } from './machine-run.ts'
import { orchestratorRole, outputPath, rolesOfState, workOfState } from './state-facts.ts'
import type { Visiting } from './state-prompt.ts'

/** What came of one agent's work in a visit. */
export interface Ran {
  run: AgentRun
  output?: Pick<Output, 'path' | 'agent' | 'text' | 'work' | 'scored'>
  verdict?: GateVerdict
  scores?: readonly Score[]
  failure?: AgentError | LimitError
}

/**
 * Runs the agents of a state: of a fan-out each in a branch of its own, side by side or, as the settings say, one after the other;
 * else one at the root. Nothing is read or written before all have ended.
 */
export async function runAgents(run: MachineRun, visiting: Visiting): Promise<Ran[]> {
  const { context, machine } = run
  const { state, name } = visiting
  const agents = rolesOfState(state)
  if (state.type !== 'fan-out') return [await runAtRoot(run, visiting, agents[0] ?? orchestratorRole)]
  const begin = (agent: string) =>
    context.branch(`${name}.${agent}`, (branch) => runAgent(run, visiting, agent, branch))
  if (machine.settings.parallel_fanout) return Promise.all(agents.map(begin))
  const ran: Ran[] = []
  for (const agent of agents) {
    ran.push(await begin(agent))
    // A limit of the trial refuses every further branch, too.
    if (ran.at(-1)?.failure instanceof LimitError) break
  }
  return ran
}

/** Runs an agent on the trial's own files, and keeps a copy of what it leaves there. */
async function runAtRoot(run: MachineRun, visiting: Visiting, agent: string): Promise<Ran> {
  const ran = await runAgent(run, visiting, agent, run.context)
  const { work } = ran.output ?? {}
  if (!ran.output || !work) return ran
  const workspace = await run.context.branch(`${visiting.name}.kept`, async ({ workspace }) => workspace)
  return { ...ran, output: { ...ran.output, work: { ...work, workspace } } }
}

async function runAgent(run: MachineRun, visiting: Visiting, agent: string, context: Context): Promise<Ran> {
  const { state, inputs } = visiting
  const before = { at: context.now(), spent: context.spent() }
  const facts = () => ({
    ...personaOf(run, visiting, agent),
    ...{ ms: context.now() - before.at, spent: spentBetween(before.spent, context.spent()) },
  })
  if (state.scores && inputs.length === 0)
    return { run: { agent, status: 'failed', error: 'nothing exists that it could score', ...facts() } }
  try {
    const said = await askInState(run, visiting, agent, context)
    run.hasAnswer = true
    const output = outputOf(run, visiting, agent, said, context)
    const { verdict, scores } = said
    return {
      run: { agent, status: 'done', output: outputFacts(output.path, output.text), ...facts() },
      ...{ output, ...(verdict && { verdict }), ...(scores && { scores }) },
    }
  } catch (failure) {
    if (!(failure instanceof AgentError || failure instanceof LimitError)) throw failure
    const isTimeout = failure instanceof AgentError && failure.reason === 'timeout'
    return {
      run: { agent, status: isTimeout ? 'timeout' : 'failed', error: failure.message, ...facts() },
      failure,
    }
  }
}

function personaOf({ machine }: MachineRun, { state }: Visiting, agent: string): { persona?: string } {
  const own = agent === orchestratorRole ? machine.orchestrator.persona : machine.agents[agent]?.persona
  const persona = state.persona ?? own
  return persona === undefined ? {} : { persona }
}

function outputOf(
  { taskFiles }: MachineRun,
  { state }: Visiting,
  agent: string,
  { text: reply, verdict, scores }: Said,
  { workspace }: Context,
): NonNullable<Ran['output']> {
  const path = outputPath(state, agent)
  // A verdict stays JSON.
  const scored = verdict ? undefined : scores
  const produces = workOfState(state) === 'produce'
  const body = produces ? producedText(reply, workspace, taskFiles) : reply
  return {
    ...{ path, agent, text: scored ? scoredText(body, scored) : body },
    ...(scored && { scored: { review: body, scores: scored } }),
    ...(produces && { work: { reply, workspace } }),
  }
}

/** Returns the text of an author's output: the reply and, where files differ from the task's, those files. */
export function producedText(
  reply: string,
  workspace: Workspace,
  taskFiles: ReadonlyMap<string, string>,
): string {
  const now = workspace.list()
  const changed = now.filter((path) => workspace.read(path) !== taskFiles.get(path))
  const removed = [...taskFiles.keys()].filter((path) => !now.includes(path))
  if (changed.length + removed.length === 0) return reply
  const words = changed.reduce((text, path) => withoutBlock(text, workspace.read(path) ?? ''), reply)
  return [
    replyContext(words.replace(/\n{3,}/g, '\n\n').trim(), workspace),
    ...(changed.length > 0
      ? [filesContext({ list: () => changed, read: (path) => workspace.read(path) })]
      : []),
    ...removed.map((path) => `DELETED: ${path}`),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** Returns a reply without the fenced block of a file, which is shown as a file anyway, and the line that names it. */
function withoutBlock(reply: string, content: string): string {
  const body = content.trim()
  for (const part of body === '' || !reply.includes(body) ? [] : partsOf(scanReply(reply).regions))
    if (part.kind === 'fence' && part.content.trim() === body)
      return reply.slice(0, part.start) + reply.slice(part.end)
  return reply
}
