import { sameText } from './reference.ts'

/** Files by path as a candidate leaves them; null removes one. */
export type Overlay = Readonly<Record<string, string | null>>

/** One thing that a producing role may hand in. */
export type Candidate = { files: Overlay } | { answer: string }

/** The project's file blocks for all files of an overlay that differ from the current ones; empty when none does. */
export function fileBlocks(overlay: Overlay, current: Readonly<Record<string, string>>): string {
  const blocks: string[] = []
  for (const path of Object.keys(overlay).sort()) {
    const content = overlay[path] as string | null
    if (sameText(content, current[path] ?? null)) continue
    blocks.push(content === null ? `DELETE: ${path}\n` : fileBlock(path, content))
  }
  return blocks.join('\n')
}

function fileBlock(path: string, content: string): string {
  let longest = 2
  for (const [run] of content.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  const fence = '`'.repeat(longest + 1)
  const language = /\.(\w+)$/.exec(path)?.[1] ?? ''
  return `FILE: ${path}\n${fence}${language}\n${content}${content.endsWith('\n') ? '' : '\n'}${fence}\n`
}
