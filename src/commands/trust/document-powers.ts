import { GraphDocument } from '../../schema/graph/document.ts'
import { MachineFile } from '../../schema/machine/machine-file.ts'
import { parseYaml } from '../../yaml/parse-yaml.ts'
import { documentKind } from '../methods/documents.ts'
import { agentPowers, filePower, type Power, power, toolPowers } from './powers.ts'

type Where = (...path: PropertyKey[]) => string

/** Returns what the text of a document takes, whatever its kind, in the order of its kind. None of a text with mistakes. */
export function documentPowers(text: string, shown: string): Power[] {
  const kind = documentKind(text)
  const { data, offsetOf, placeOf } = parseYaml(text)
  const where: Where = (...path) => `${shown}:${placeOf(offsetOf(path), true)} ${path.map(String).join('.')}`
  if (kind === 'graph') {
    const graph = GraphDocument.safeParse(data, { jitless: true }).data
    return graph ? graphPowers(graph, where) : []
  }
  const machine = kind === 'machine' ? MachineFile.safeParse(data, { jitless: true }).data : undefined
  // The workflows of `collaboration` name nothing outside of themselves.
  return machine ? machinePowers(machine, where) : []
}

function graphPowers({ providers, tools, run: { input } }: GraphDocument, where: Where): Power[] {
  const ofProviders = Object.entries(providers).flatMap(([id, { kind, config }]) => {
    const at = (field: string) => where('providers', id, 'config', field)
    if (kind === 'bench_agent') return agentPowers(config.agent, {}, () => at('agent'))
    const variable = kind === 'http_remote' ? config.key_variable : undefined
    return [
      power('agent', `${kind} ${config.model}`, at('model')),
      ...(config.base_url === undefined ? [] : [power('address', config.base_url, at('base_url'))]),
      ...(variable === undefined ? [] : [power('variable', variable, at('key_variable'))]),
    ]
  })
  const ofTools = Object.entries(tools).flatMap(([id, tool]) =>
    toolPowers(tool, (field) => where('tools', id, 'config', field)),
  )
  const file = typeof input === 'object' && 'file' in input ? input.file : undefined
  return [
    ...ofProviders,
    ...ofTools,
    ...(file === undefined ? [] : [filePower(file, where('run', 'input', 'file'))]),
  ]
}

function machinePowers({ orchestrator, agents }: MachineFile, where: Where): Power[] {
  const named = [
    { name: orchestrator.agent, at: where('orchestrator', 'agent') },
    ...Object.entries(agents).map(([role, { agent }]) => ({
      ...{ name: agent, at: where('agents', role, 'agent') },
    })),
  ]
  return named.flatMap(({ name, at }) => (name === undefined ? [] : agentPowers(name, {}, () => at)))
}
