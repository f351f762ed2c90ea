const codes =
  /^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EPROTO|UND_ERR_CONNECT_TIMEOUT|CERT_.*|ERR_TLS_.*|ERR_SSL_.*|.*_CERT(?:_.*)?|UNABLE_TO_.*)$/

/** Whether an error code means that no connection was made, so that the request was not sent and no tokens were generated. */
export const isNeverSent = (code: string): boolean => codes.test(code)
