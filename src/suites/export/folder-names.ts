import { createHash } from 'node:crypto'

/** Longer names do not fit into the paths of some systems. */
const longest = 100
/** Names that Windows keeps for devices, with any ending. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Returns a folder name for each id, in order: the id itself where every file system can hold it beside the others, else one that is
 * changed at its end. Ids that differ only by case get different names.
 */
export function folderNames(ids: readonly string[]): string[] {
  const taken = new Set<string>()
  return ids.map((id) => {
    const name = freeName(fittingName(id), taken)
    taken.add(name.toLowerCase())
    return name
  })
}

function fittingName(id: string): string {
  const cut = id.length > longest ? `${id.slice(0, longest - 9)}-${shortDigest(id)}` : id
  const named = reserved.test(cut) ? `task-${cut}` : cut
  // Windows drops a dot at the end.
  return named.replace(/\.+$/, '') || 'task'
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name.toLowerCase())) return name
  for (let i = 2; ; i++) if (!taken.has(`${name}-${i}`.toLowerCase())) return `${name}-${i}`
}

const shortDigest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 8)
