import type { SourceToken, Syntax } from './source-tokens.ts'

/** One change at one place of a source text. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** The token at `index`, with its whole source. A mutation operator gets this. */
export interface Site {
  source: string
  syntax: Syntax
  tokens: readonly SourceToken[]
  index: number
  /** The enclosing bracket of each token; empty at top level. */
  enclosing: readonly string[]
}

/** Returns the site's token, or the one at an offset from it. */
export const tokenAt = ({ tokens, index }: Site, offset = 0): SourceToken | undefined =>
  tokens[index + offset]

/** Returns where a token ends in the source. */
export const endOf = (token: SourceToken) => token.start + token.text.length

/** Whether the site's token is the first on its line. */
export const startsLine = (site: Site) => tokenAt(site, -1)?.line !== tokenAt(site)?.line
