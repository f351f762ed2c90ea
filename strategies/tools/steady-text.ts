import { pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { hideVolatileParts } from '../../src/text/volatile-parts.ts'

/** The path of the workspace in every output. */
export const steadyWorkspace = '/workspace'

/** Folders of this machine, as a tool prints them. */
interface Places {
  workspace: string
  /** Folders for temporary files, under all their names. */
  temporary: readonly string[]
  home: string
}

/** Returns printed text without colours, with `\n` as the only end of a line. */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(/\r\n?/g, '\n')
}

/** Hides where the workspace, temporary files and installed packages are on this machine. Paths in the workspace stay. */
export function hidePlaces(text: string, { workspace, temporary, home }: Places): string {
  const inTemporary = temporary.map(
    (folder) =>
      new RegExp(`${pathPattern(folder)}/(?:pytest-of-[^\\s/]+/pytest-\\d+|[^\\s/'"\`()<>:;,]+)`, 'g'),
  )
  // The folders of the tools themselves, also as a path from the workspace on.
  let hidden = replacePath(
    text.replace(/(?<![^\s'"`(=:])[^\s'"`(=:]*bench-tool-\w{6}(?=\/)/g, '/tmp/…'),
    workspace,
    steadyWorkspace,
  )
  for (const pattern of inTemporary) hidden = hidden.replace(pattern, '/tmp/…')
  if (home !== '/') hidden = replacePath(hidden, home, '~')
  return hidden
    .replace(/(?<![\w.~@-])(?:~|\.\.)?(?:\/[^\s/'"`()<>:;,]+)*?\/(?=(?:node_modules|site-packages)\/)/g, '…/')
    .replace(/(?<![\w.~@-])~?(?:\/[^\s/'"`()<>:;,]+)*?\/(?=lib\/python3[.\d]*\/)/g, '…/')
}

/** A path on its own or as the beginning of a longer one; in URLs and XML it is spelt in another way. */
function replacePath(text: string, path: string, by: string): string {
  return text.replace(new RegExp(`${pathPattern(path)}(?![\\w.-])`, 'g'), by)
}

function pathPattern(path: string): string {
  const xml = path.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&apos;')
  const spellings = [...new Set([path, pathToFileURL(path).pathname, xml])].map((one) =>
    one.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'),
  )
  // A relative path that leads out of the workspace ends in the whole path.
  return `(?<![\\w.~@-])(?:\\.\\.(?:/\\.\\.)*)?(?:${spellings.join('|')})`
}

/** Hides what differs between equal runs in a message of a failure: durations, addresses, processes, workers, ports of the system's choice. */
export function hideNumbers(text: string): string {
  return hideVolatileParts(text)
    .replace(/\b0x0{0,4}(?:7f|5[56])[0-9a-f]{10}\b/gi, '0x…')
    .replace(/\bgw\d+\b/g, 'gw…')
    .replace(/\b(pid[:=]? ?)\d+\b/gi, '$1…')
    .replace(/(127\.0\.0\.1|localhost|::1\]?):(\d{5})\b/g, (whole, host, port) =>
      Number(port) < 32_768 ? whole : `${host}:…`,
    )
}

/** Lines in which runners and builders print times, the padding around them, and what the garbage collector writes. */
const timedLines: readonly (readonly [RegExp, string])[] = [
  [/^( *[✓✔✗×✖❯↓] .*) \d+ms(?=(?: \((?:retry|repeat) x\d+\))*(?: \d+ MB heap used)?$)/gm, '$1 … ms'],
  [/\(\d+(?:\.\d+)? ?ms\)/g, '(… ms)'],
  [/^( +Start at +).*$/gm, '$1…'],
  [/^( +Duration +)\d.*$/gm, '$1…'],
  [/^-+ (generated xml file: .*?) -+$/gm, '- $1 -'],
  [/^=+ (.*) in [\d.]+ ?s(?: \([\d:]+\))? =+$/gm, '= $1 in … s ='],
  [/^=+ (.*) in … s(?: \([\d:]+\))? =+$/gm, '= $1 in … s ='],
  [/^JUNIT report written to .*\n?/gm, ''],
  [/^cachedir: \/tmp\/….*\n?/gm, ''],
  // Whether a callback came by a timer or by a promise is chance.
  [/^ *(?:at|❯) .*\bnode:internal\/(?:process\/task_queues|timers):.*\n?/gm, ''],
  [/^=+ slowest (?:\d+ )?durations =+\n(?:\d[\d.]*s .*\n|\(\d+ durations .*\n)*/gm, ''],
  [/^(.*\b(?:built|failed) in )[\d.]+ ?m?s$/gm, '$1… s'],
  [/^\[?\d{1,2}:\d\d:\d\d(?: [AP]M)?\]?(?= )/gm, '[…]'],
  [/^\[\d+:0x[0-9a-f]+\] .*$/gm, '[…]'],
  [/^( *\d+: )0x[0-9a-f]+(?= )/gm, '$10x…'],
]

/** Returns the output of a tool as equal runs print it: plain, and without what only measures the run. */
export function steadyOutput(text: string): string {
  const hidden = timedLines.reduce(
    (all, [pattern, by]) => all.replace(pattern, by),
    hideNumbers(plainText(text)),
  )
  return hidden.replace(/<test(?:case|suites?)\b[^>]*>/g, (tag) =>
    tag.replace(/\b(time|timestamp|hostname)="[^"]*"/g, '$1="…"'),
  )
}
