import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** A folder of bench's. */
interface Place {
  /** Whether bench writes a file of this name here. */
  own(name: string): boolean
  /** Undefined: bench makes no folder of this name. */
  inside(name: string): Place | undefined
}

const everything: Place = { own: () => true, inside: () => everything }

/** What a killed process leaves of a file that is written whole. */
const draft = String.raw`(?:\.draft|\.over-[0-9a-f]{12}|\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})*`
const matching = (names: string) => {
  const pattern = new RegExp(`^(?:${names})${draft}$`)
  return (name: string) => pattern.test(name)
}

const trial: Place = {
  own: matching(String.raw`answer\.md|changes\.patch|changed-files\.json`),
  inside: (name) => (/^(?:files|outputs(?:\.draft)?)$/.test(name) ? everything : undefined),
}
/** A killed process leaves a folder with the end of a draft's name. */
const isTrial = matching('[0-9a-f]{12,64}')
const artifacts: Place = {
  own: () => false,
  inside: (name) => (/^[0-9a-f]{12,64}$/.test(name) ? trial : undefined),
}
const workspace: Place = {
  own: () => false,
  inside: (name) => (/^(?:files|repository)$/.test(name) ? everything : undefined),
}
const workspaces: Place = {
  own: () => false,
  inside: (name) => (isTrial(name) ? workspace : undefined),
}
const blobs: Place = { own: matching('[0-9a-f]{64}'), inside: () => undefined }
const places: ReadonlyMap<string, Place> = new Map(Object.entries({ artifacts, workspaces, blobs }))
const run: Place = {
  own: matching(
    String.raw`(?:steps|events|records|sessions|looks|people)\.jsonl|(?:run|request)\.json|summary\.md|lock|pause|origin|\.DS_Store`,
  ),
  inside: (name) => places.get(name),
}

/** Returns the paths of the files in a run folder that bench did not write, sorted. Links are no files; they are removed alone. */
export const foreignFiles = (folder: string): string[] => filesIn(folder, '', run).sort()

/** Without a place nothing in the folder is bench's. */
function filesIn(root: string, path: string, place: Place | undefined): string[] {
  if (place === everything) return []
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry: Dirent) => {
    const inner = join(path, entry.name)
    if (entry.isDirectory()) return filesIn(root, inner, place?.inside(entry.name))
    return entry.isSymbolicLink() || place?.own(entry.name) ? [] : [inner]
  })
}

const mostNamed = 3

/** Returns why a run folder with such files is kept; undefined without any. */
export function foreignText(folder: string): string | undefined {
  const files = foreignFiles(folder)
  if (files.length === 0) return undefined
  const more = files.length > mostNamed ? `, and ${files.length - mostNamed} more` : ''
  const [count, them] = files.length === 1 ? ['1 file', 'it'] : [`${files.length} files`, 'them']
  return `holds ${count} that bench did not write: ${files.slice(0, mostNamed).join(', ')}${more}; move ${them} away`
}
