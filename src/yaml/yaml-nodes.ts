import { type Document, isAlias, isNode, visit } from 'yaml'
import type { Problem } from '../text/errors.ts'

/** Finds nodes that cannot become JSON data: unknown or circular aliases, and tags that JSON does not have. `at` is an offset in characters. */
export function findUnsupportedNodes(document: Document.Parsed): (Omit<Problem, 'where'> & { at: number })[] {
  const unsupported: (Omit<Problem, 'where'> & { at: number })[] = []
  visit(document, {
    Node(_, node, path) {
      const at = node.range?.[0] ?? 0
      if (isAlias(node) && node.resolve(document) === undefined)
        unsupported.push({
          at,
          what: `uses the alias *${node.source}, but the anchor &${node.source} is not defined before it`,
          fix: 'Write the value instead.',
        })
      else if (isAlias(node) && path.some((outer) => isNode(outer) && outer === node.resolve(document)))
        unsupported.push({
          at,
          what: `uses the alias *${node.source} inside its own anchor`,
          fix: 'Write the value instead.',
        })
      else if (node.tag !== undefined && unsupportedTags.test(node.tag))
        unsupported.push({
          at,
          what: `has the tag ${node.tag.replace('tag:yaml.org,2002:', '!!')}, which is not supported`,
          fix: 'Write a plain value, list or map.',
        })
    },
  })
  return unsupported
}

const unsupportedTags = /^tag:yaml\.org,2002:(?:set|omap|pairs|binary|timestamp)$/
