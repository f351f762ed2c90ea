import type { DirectorTask, StageAgent, StageEnd, StageProgram } from '../../stage.ts'
import { AgentError, InfrastructureError } from '../../text/errors.ts'
import { shorten } from '../../text/shorten.ts'
import { askDirector } from '../ask/ask.ts'
import type { Branch, Context, Director } from '../branch/trial-state.ts'
import { openHands } from './open-hands.ts'
import { checkId, readPrograms } from './program.ts'

/** Throws unless the arguments of `stage()` are right for an agent. */
export function checkAgent(id: unknown, agent: StageAgent<Context>, roles: readonly string[]): void {
  checkId(id)
  const { directs, roles: others } = agent as Partial<StageAgent<Context>>
  const unknown = [directs, ...(others ?? [])].find((role) => !roles.includes(String(role)))
  if (unknown !== undefined || directs === undefined)
    throw new Error(
      `[strategy] stage("${id}"): there is no role ${JSON.stringify(unknown)}; the strategy has ${roles.join(', ')}.`,
    )
}

/** The server of the tools, and the program that stands in for an agent that is none. */
const [server, standIn] = ['src/sandbox/programs/role-tools.mjs', 'src/sandbox/programs/stand-in.mjs']

/**
 * Lets an agent direct others in a branch of its own. A program works there as long as it likes, and what it asks for is done meanwhile.
 * For any other agent `run` starts a program that stands in for it. Returns the agent's result as the output of a stage.
 */
export async function direct(
  branch: Branch,
  agent: StageAgent<Context>,
  context: Context,
  run: (program: StageProgram) => Promise<StageEnd>,
): Promise<StageEnd> {
  const { directs, roles } = agent
  const task = await agent.begin(context)
  const director: Director = {
    role: directs,
    async perform(role, brief) {
      if (agent.perform) return agent.perform({ role, brief }, context)
      return String(await context.ask(role, brief, { show: { task: context.instruction } }))
    },
  }
  Object.assign(branch.stage ?? {}, { director })
  const isProgram = branch.trialState.plan.agents[directs]?.isProgram === true
  const end = isProgram
    ? await runAgent(branch, task, agent)
    : await run(standInProgram(task, { directs, roles }))
  // A limit ends it here; its caller throws the refusal.
  if (branch.refused) return end
  const result = director.finished ?? (isProgram ? end.output : undefined)
  if (result === undefined) throw end.failedAsk ?? failedStandIn(end)
  await agent.finish?.(result)
  return { ...end, output: result }
}

async function runAgent(
  branch: Branch,
  { work, ...given }: DirectorTask,
  { directs, roles }: StageAgent<Context>,
): Promise<StageEnd> {
  const own = { ...given, prompt: `${given.prompt}\n\n${rules}`, work }
  const end = { exitCode: 0, state: undefined, output: '', asks: 0 }
  try {
    const output = await askDirector(branch, directs, own, (key) =>
      openHands(branch, key, { role: directs, roles, files: readPrograms([server]) }),
    )
    return { ...end, output }
  } catch (error) {
    // A limit that cuts it off leaves what was done so far.
    if (branch.refused) return end
    throw error
  }
}

const rules =
  'You work by your tools alone: `ask_role` has a role act by your `brief`, and returns what it says; `read` shows a file, or which files there are; ' +
  '`check` runs the visible checks; `finish` ends the work with your `result`. What a prompt above calls your decision is such a call. Make one call at a time.'

const standInProgram = (
  { timeoutMs, ...task }: DirectorTask,
  { directs, roles }: Pick<StageAgent<Context>, 'directs' | 'roles'>,
): StageProgram => ({
  command: ['node', '{stage}/stand-in.mjs'],
  files: readPrograms([server, standIn]),
  state: JSON.stringify({ ...task, role: directs, roles }),
  roles: [directs, ...roles],
  ...(timeoutMs !== undefined && { timeoutMs }),
})

function failedStandIn({ reason, exitCode, output }: StageEnd): Error {
  if (exitCode === null)
    return new InfrastructureError(`the program that stands in for an agent ${reason ?? 'was ended'}`)
  return new AgentError(
    'exit',
    `the program that stands in for an agent failed: ${shorten(output.trim(), 300)}`,
  )
}
