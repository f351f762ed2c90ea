import { outputPathProblem } from '../../../sandbox/folders/paths.ts'
import type { Add } from '../../../yaml/raw.ts'
import { asText } from '../../../yaml/raw.ts'
import { listOutputs, type Output } from './list-outputs.ts'
import type { Site } from './list-states.ts'

/** Reports outputs with wrong paths, and those that several would write. */
export function checkOutputs(
  sites: readonly Site[],
  lineOf: (path: Output['path']) => string,
  add: Add,
): void {
  const outputs = listOutputs(sites)
  for (const site of sites) {
    const output = asText(site.node.output)
    if (site.type === 'fan-out' && output && !output.includes('{agent}') && wrongPath(output) === undefined)
      add(
        [...site.path, 'output'],
        `all agents would write ${output}`,
        `Write {agent} where the name of the agent stands: ${withAgent(output)}.`,
      )
  }
  const told = new Set<string>()
  for (const { written, file, path } of outputs) {
    const wrong = wrongPath(written) ?? wrongPath(file)
    if (wrong && !told.has(path.join('\n'))) add(path, ...wrong)
    told.add(path.join('\n'))
  }
  checkShared(outputs, lineOf, add)
}

const withAgent = (path: string) => path.replace(/(\.[^./]*)?$/, '/{agent}$1').replace(/^\//, '')

/** Returns what is wrong with the path of an output, and its remedy. */
function wrongPath(path: string): [what: string, fix: string] | undefined {
  if (path.includes('$')) return ['has a $, which stands for nothing', 'Write {agent} without it.']
  const placeholder = path.match(/\{(?!agent\})[^}]*\}?/)?.[0]
  if (placeholder !== undefined)
    return [
      `has ${placeholder}, which stands for nothing`,
      'Use {agent} alone; each trial has outputs of its own.',
    ]
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path))
    return ['must be a relative path', 'Begin with a folder, such as drafts/.']
  if (path.split('/').some((part) => part === '..' || part === '.' || part === '') || path.includes('\\'))
    return [
      'must be a plain path',
      'Write folders and a name, such as drafts/{agent}.md, without `.`, `..` or `\\`.',
    ]
  if (/[*?[\]]/.test(path)) return ['must be one path, without * ? [ ]', 'Write the name itself.']
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they have no place in a file name
  if (/[\u0000-\u001f\u007f]/.test(path)) return ['has a control character', 'Remove it.']
  if (path.length > 200) return ['has more than 200 characters', 'Make it shorter.']
  if (path === 'task' || path === 'context.json')
    return [`"${path}" has another meaning here`, 'Write another name.']
  const refused = outputPathProblem(path)
  return refused === undefined ? undefined : [refused, 'Write another path, such as drafts/{agent}.md.']
}

/** Reports an output that two states write, or one that is a folder of another. Names of files may differ by more than case. */
function checkShared(outputs: readonly Output[], lineOf: (path: Output['path']) => string, add: Add): void {
  const files = new Map<string, Output>()
  const told = new Set<string>()
  for (const output of outputs) {
    const key = output.file.toLowerCase()
    const folder = outputs.find(({ file }) => key.startsWith(`${file.toLowerCase()}/`))
    const other = files.get(key) ?? folder
    if (!other) files.set(key, output)
    const areSummaries = other?.agent === undefined && output.agent === undefined
    if (!other || (areSummaries && !folder) || told.has(output.path.join('\n'))) continue
    const isSameState =
      other.site === output.site && other.agent !== output.agent && other.agent !== undefined
    if (isSameState && other.file === output.file) continue
    told.add(output.path.join('\n'))
    const place = `state "${other.site.name}" (line ${lineOf(other.path)})`
    const what = folder
      ? `${output.file} needs a folder ${other.file}, which is an output of ${place}`
      : other.file === output.file
        ? `${place} writes ${output.file} too`
        : `${output.file} differs from ${other.file} of ${place} by case alone`
    add(output.path, what, 'Write another path.')
  }
}
