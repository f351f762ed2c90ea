import { kinshipOf } from '../../schema/agent/model-name.ts'
import type { RunManifest } from '../../schema/run/run.ts'
import { needsJudges, type Task } from '../../schema/task.ts'
import type { Problem } from '../../text/errors.ts'
import type { MergedOptions } from '../config/merge-options.ts'

/** Most tasks that a message names. */
const maxNamed = 3

/**
 * Returns the names of the judges as they were given; undefined if no task has a rubric. In dev mode the simulated agent judges unless
 * others are named. Adds a problem if a rubric has no judge, and if typed judges have nothing to judge.
 */
export function selectJudges(
  { options, isFromFile }: MergedOptions,
  mode: RunManifest['mode'],
  tasks: readonly Task[],
  problems: Problem[],
): string[] | undefined {
  const rubrics = tasks.filter(({ spec }) => needsJudges(spec)).map(({ ref }) => ref)
  const given = options.judges
  if (rubrics.length === 0) {
    if (given !== undefined && !isFromFile('judges') && tasks.length > 0)
      problems.push({
        where: `--judges ${given}`,
        what: 'has nothing to judge: no task of this run has a grader of kind rubric',
        fix: 'Leave it out, or choose such a task: see bench help open-answers.',
      })
    return undefined
  }
  if (given === undefined && mode === 'dev') return ['simulated']
  const names = (given ?? '').split(',').map((name) => name.trim())
  const fix = 'Write for example --judges A,B with two agents, such as openai:gpt-5.2,google:gemini-3-pro.'
  if (given === undefined) {
    const more = rubrics.length > maxNamed ? ` and ${rubrics.length - maxNamed} more` : ''
    problems.push({
      where: '--judges',
      what: `is missing: the tasks ${rubrics.slice(0, maxNamed).join(', ')}${more} have a rubric, so judges decide`,
      fix: 'Add --judges PROVIDER:MODEL, or several: --judges A,B. In bench.config.yaml it is run.judges.',
    })
  } else if (names.includes(''))
    problems.push({ where: `--judges ${given}`, what: 'has an empty agent name', fix })
  else return names
  return undefined
}

/** Two judges that are one agent, also by two labels of the config file: their verdicts could not be told apart. */
export function equalJudgeProblems(judges: readonly string[]): Problem[] {
  const twice = judges.find((name, place) => judges.indexOf(name) < place)
  const fix = 'Name each judge once. For several verdicts of one judge, set `votes` of the rubric.'
  return twice === undefined ? [] : [{ where: '--judges', what: `names "${twice}" twice`, fix }]
}

/** Returns a warning for each judge whose model, or one of its family, makes the work that it judges. */
export function selfPreferenceNotes({
  judges = [],
  agents,
  agentSets = [],
  methods,
}: Pick<RunManifest, 'judges' | 'agents' | 'agentSets' | 'methods'>): string[] {
  const inUse = [
    agents,
    ...agentSets.map((set) => set.agents),
    ...methods.map((method) => method.agents ?? {}),
  ]
  const names = [...new Set(inUse.flatMap((ofRoles) => Object.values(ofRoles)))]
  return judges.flatMap((judge) =>
    names.flatMap((agent) => {
      const kinship = kinshipOf(judge, agent)
      if (!kinship) return []
      const how = kinship === 'model' ? 'is the same model as' : 'is of the same model family as'
      return [`the judge ${judge} ${how} ${agent}, whose work it judges; models favour their own work`]
    }),
  )
}
