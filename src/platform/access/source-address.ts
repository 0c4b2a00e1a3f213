import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
export type Network = [Address, number]

const WHOLE_IPV4 = /^(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})(?:\/\d+)?$/
const MAPPED_BITS = 96

/**
 * Parses `10.0.0.0/8`, `2001:db8::/32` or a single address; null if invalid. Short and octal forms are invalid, because
 * they would be read as another network. IPv4-mapped IPv6 is IPv4.
 */
export function readNetwork(text: string): Network | null {
  if (!text.includes(':') && !WHOLE_IPV4.test(text)) return null
  try {
    const [address, bits] = text.includes('/') ? ipaddr.parseCIDR(text) : single(ipaddr.parse(text))
    if (!(address instanceof ipaddr.IPv6) || !address.isIPv4MappedAddress() || bits < MAPPED_BITS)
      return [address, bits]
    return [address.toIPv4Address(), bits - MAPPED_BITS]
  } catch {
    return null
  }
}
const single = (address: Address): Network => [address, address.kind() === 'ipv4' ? 32 : 128]

function readAddress(text: string): Address | null {
  try {
    return ipaddr.process(text) // an IPv4 address mapped into IPv6 is the IPv4 address
  } catch {
    return null
  }
}

const within = (address: Address, networks: readonly Network[]) =>
  networks.some(([network, bits]) => network.kind() === address.kind() && address.match(network as ipaddr.IPv4, bits))

/** Whether the address is in one of the networks; false for an invalid address. */
export function isWithin(address: string, networks: readonly Network[]): boolean {
  const read = readAddress(address)
  return read !== null && within(read, networks)
}

const VISITOR_BITS_OF_IPV6 = 64
/** The network of one visitor: an IPv4 address, or the /64 of an IPv6 address. */
export function networkOf(address: string): string {
  const read = readAddress(address)
  if (!(read instanceof ipaddr.IPv6)) return read?.toString() ?? address
  return ipaddr.IPv6.networkAddressFromCIDR(`${read.toNormalizedString()}/${VISITOR_BITS_OF_IPV6}`).toNormalizedString()
}

/**
 * The client address of a request: the socket's, unless that is a trusted proxy; then the right-most address of
 * X-Forwarded-For that is not a proxy. Entries further left may be forged.
 */
export function sourceAddress(socket: string, forwardedFor: string | undefined, proxies: readonly Network[]): string {
  if (!forwardedFor) return socket
  let source = socket
  for (const hop of forwardedFor.split(',').reverse()) {
    if (!isWithin(source, proxies)) return source
    source = hop.trim()
  }
  return source
}
