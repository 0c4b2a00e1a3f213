/** A bucket of an S3-compatible storage, and its credentials. */
export type Bucket = {
  readonly key: string
  readonly secret: string
  readonly region: string
  /** Address of the bucket, and of the folder in it, if any. */
  readonly url: string
}

const NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/
const FOLDER = /^(\/[\w-][\w.-]*)*$/
const REGION = /^[a-z0-9-]{1,40}$/
const SWITCH: Readonly<Record<string, boolean>> = { true: true, false: false }

/**
 * Parses `s3://KEY:SECRET@BUCKET/FOLDER?region=…&endpoint=…&path_style=true`; null if invalid. Without an endpoint the
 * bucket is Amazon's. Other endpoints have the bucket in the path, unless `path_style=false`.
 */
export function readBucket(text: string): Bucket | null {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || url.port !== '' || url.hash !== '') return null
  const [key, secret] = [decode(url.username), decode(url.password)]
  const query = url.searchParams
  const region = query.get('region') ?? 'us-east-1'
  const folder = url.pathname.replace(/\/+$/, '')
  const endpoint = URL.parse(query.get('endpoint') ?? `https://s3.${region}.amazonaws.com`)
  const pathStyle = SWITCH[query.get('path_style') ?? String(query.has('endpoint'))]
  const holds =
    key && secret && NAME.test(url.hostname) && FOLDER.test(folder) && REGION.test(region) && pathStyle !== undefined
  if (!holds || !endpoint || !/^https?:$/.test(endpoint.protocol) || endpoint.username || endpoint.search) return null
  const host = pathStyle ? endpoint.host : `${url.hostname}.${endpoint.host}`
  const base = `${endpoint.protocol}//${host}${endpoint.pathname.replace(/\/+$/, '')}`
  return { key, secret, region, url: `${base}${pathStyle ? `/${url.hostname}` : ''}${folder}` }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
