import { strategies } from '../../../strategies/index.ts'
import { agentSyntax, providers } from '../../agents/registry.ts'
import { profileNames } from '../../agents/simulated/load-profile.ts'
import { suitesByName } from '../../loop/plan/built-in-tasks.ts'
import { selectTasks } from '../../loop/plan/select-tasks.ts'
import { figures } from '../../reports/figures/registry.ts'
import { formats, runFormats } from '../../reports/registry.ts'
import { sandboxChoices } from '../../sandbox/open-sandbox.ts'
import { flagOf, settingEntries } from '../../schema/settings/settings.ts'
import { workspaceTools } from '../../schema/tool/tool.ts'
import { importers } from '../../suites/registry.ts'
import { readTopics } from '../help/topics.ts'

/** What a shell can put in a place: these words, and the names of runs, which it looks up itself. */
export interface Words {
  words: readonly string[]
  areRuns?: boolean
}

/** The words that an option or an argument takes, by the flag or the name of the argument, or `COMMAND FLAG` where commands differ. */
export async function completedWords(): Promise<Readonly<Record<string, Words>>> {
  const { tasks } = await selectTasks('all', 1)
  const methods = strategies.map(({ name }) => name)
  const agents = providers.map((provider) =>
    agentSyntax(provider).replace(/\[?:.*/, provider.model?.startsWith('[') ? '' : ':'),
  )
  const suites = [...new Set(tasks.map(({ suite }) => suite))]
  const selections = [
    ...['all', ...suites, ...suitesByName, ...tasks.map(({ spec }) => spec.id)],
    ...importers.map(({ name }) => `${name}:`),
  ]
  const plain: Record<string, readonly string[]> = {
    ...Object.fromEntries(
      settingEntries.flatMap(([name, { value }]) => (Array.isArray(value) ? [[flagOf(name), value]] : [])),
    ),
    '--tasks': selections,
    '--methods': methods,
    '--match-budget': methods,
    '--agents': agents,
    '--judges': agents,
    '--call': agents,
    '--tools': [...workspaceTools, 'memory', 'none'],
    '--profile': profileNames(),
    '--sandbox': sandboxChoices,
    '--approve': ['ask', 'yes', 'abort', 'park', 'file:'],
    '--stop-when': ['settled'],
    '--tables': ['paper', 'appendix'],
    '--figure': Object.keys(figures),
    '--grader': ['numeric', 'math', 'choice', 'exact', 'pattern', 'tests'],
    '--language': ['python', 'javascript', 'typescript'],
    '--work': ['produce', 'judge', 'summarise', 'decide'],
    '--format': Object.keys(formats),
    'bench report --format': [...Object.keys(formats), ...Object.keys(runFormats)],
    'bench methods --format': ['text', 'json'],
    'bench plan --format': ['text', 'json', 'mermaid', 'dot'],
    'bench methods name': methods,
    selection: selections,
    'bench stage stage': ['plan', 'build', 'test', 'review', 'document', 'ship'],
    'bench help words': readTopics().map(({ name }) => name),
    kind: ['bash', 'zsh'],
  }
  const runs = ['run', 'runs', 'a', '--resume', '--estimate-from']
  return {
    ...Object.fromEntries(Object.entries(plain).map(([place, words]) => [place, { words }])),
    ...Object.fromEntries(runs.map((place) => [place, { words: ['latest'], areRuns: true }])),
  }
}
