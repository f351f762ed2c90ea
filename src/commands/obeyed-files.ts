/** Names of files and folders that tools obey without being asked: they name programs, hooks, servers or settings. */
const obeyed =
  /^(?:\.npmrc|\.yarnrc|\.yarnrc\.yml|\.yarn|\.pnpmfile\.cjs|\.envrc|\.direnv|\.vscode|\.idea|\.fleet|\.zed|\.devcontainer|\.husky|\.githooks|hooks|\.pre-commit-config\.yaml|lefthook\.ya?ml|\.gitmodules|\.gitattributes|\.mise\.toml|\.tool-versions|\.bazelrc|\.cargo|\.mvn|\.gdbinit|\.lldbinit|\.dir-locals\.el|\.n?vimrc|\.exrc|\.(?:ba|z|k)?sh(?:rc|env)|\.bash_profile|\.z?profile|\.zlogin|\.irbrc|\.pryrc|\.rprofile|\.netrc|\.curlrc|\.wgetrc|\.ssh|\.docker|\.claude|\.codex|\.cursor|\.gemini|\.qwen|\.opencode|\.mcp\.json|pyvenv\.cfg|sitecustomize\.py|usercustomize\.py)$/i

/** Those paths of which some part is the name of what tools obey. */
export function obeyedFiles(paths: readonly string[]): string[] {
  return paths.filter((path) => path.split('/').some((part) => obeyed.test(part)))
}

/**
 * Files named HEAD that would make a git repository of the folder that they stand in, whatever it is called: git takes one with
 * `objects` and `refs` beside it, or with `commondir`, and obeys its `config`.
 */
export function repositoryHeads(paths: readonly string[]): string[] {
  const places = new Set(paths.flatMap((path) => prefixes(path.toLowerCase())))
  return paths.filter((path) => {
    if (!/(?:^|\/)head$/i.test(path)) return false
    const folder = path.slice(0, -'HEAD'.length).toLowerCase()
    const has = (name: string) => places.has(folder + name)
    return has('commondir') || (has('objects') && has('refs'))
  })
}

/** `a`, `a/b` and `a/b/c` of `a/b/c`. */
function prefixes(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, i) => parts.slice(0, i + 1).join('/'))
}
