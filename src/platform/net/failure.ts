/** Why nothing usable came of a destination, as a word that programs compare and a text for people. */
export type Failure = {
  readonly error:
    | 'invalid_url'
    | 'dns'
    | 'refused_address'
    | 'connect_timeout'
    | 'tls'
    | 'connection'
    | 'read_timeout'
    | 'invalid_response'
  readonly message: string
}
