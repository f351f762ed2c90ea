/** A model server, and the environment variables whose keys belong to it. Such a key goes to no other server. */
export interface Server {
  /** The first that is set counts. */
  keyVariables: readonly string[]
  /** Environment variable with another base URL, as the vendor's own tools read it. */
  baseUrlVariable?: string
  /** The vendor's own; absent where every user has another. */
  baseUrl?: string
}

/** Whose server answers, and how a user names it, its address and its key. */
export interface Vendor extends Server {
  /** The provider's name before the colon. */
  name: string
  /** Servers of one's own often need none. */
  keyOptional?: true
  /** It may do without: a program of one's own may ask nobody. */
  addressOptional?: true
  /** What every base URL's path ends in; put there where it is missing. */
  version?: string
  /** Name in the price table; absent where only the address tells who bills. */
  billedBy?: string
  /** The server that it asks instead, with the keys of that one, where the variable with its address is set. */
  instead?: Server
}
