import type { SourceToken, Syntax } from './source-tokens.ts'

/** One change at one place of a source text. */
export interface Edit {
  start: number
  end: number
  text: string
}

/** What an operator looks at: the token at `index`, with all around it. */
export interface Site {
  source: string
  syntax: Syntax
  tokens: readonly SourceToken[]
  index: number
  /** For each token, the bracket that it stands in; empty at top level. */
  enclosing: readonly string[]
}

/** The token that a site is at, or one so many tokens further. */
export const tokenAt = ({ tokens, index }: Site, offset = 0): SourceToken | undefined =>
  tokens[index + offset]

/** Where a token ends in the source. */
export const endOf = (token: SourceToken) => token.start + token.text.length

/** Whether the site's token is the first on its line. */
export const startsLine = (site: Site) => tokenAt(site, -1)?.line !== tokenAt(site)?.line
