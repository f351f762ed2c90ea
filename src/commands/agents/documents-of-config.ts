import { isFile, readMethodText, splitMethods } from '../../loop/plan/method-text.ts'
import type { DocumentAgent } from '../../schema/agent/document-agent.ts'
import type { ConfigFile } from '../config/config-file.ts'
import { type SelectedMethods, selectMethods } from '../methods/select-methods.ts'
import { documentAgents } from './document-agents.ts'

/**
 * Returns the agents that the documents of a config file's methods name, each name once, without those of the file itself. Bench
 * doctor must not run the user's code, so strategies from files are left out. `bench run` reports the mistakes of documents.
 */
export async function agentsOfDocuments(
  file: ConfigFile,
  isRead: (strategy: string) => boolean = (strategy) => !isFile(strategy),
  isTrusted: (label: string, methods: SelectedMethods) => boolean = () => true,
): Promise<DocumentAgent[]> {
  const { methods: entries = {}, run, agents: named = {} } = file.config
  const typed = splitMethods([run?.methods ?? []].flat().join(','))
  const strategyOf = (text: string) => {
    const name = readMethodText(text)?.name ?? ''
    const { strategy } = (Object.hasOwn(entries, name) && entries[name]) || {}
    return strategy === undefined ? name : (readMethodText(strategy)?.name ?? '')
  }
  const read = [...typed, ...Object.keys(entries)].filter((text) => isRead(strategyOf(text)))
  const selected = await selectMethods({ methods: read.join(',') }, file, [], true)
  const { methods, strategies } = selected
  const found = methods.flatMap((method) => {
    if (!isTrusted(method.label, selected)) return []
    const { agents, invalid } = documentAgents(method, strategies, file.config, [])
    return Object.values(agents).filter(({ name }) => !invalid.includes(name) && !Object.hasOwn(named, name))
  })
  return [...new Map(found.map((agent) => [agent.name, agent])).values()]
}
