import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isWithin, type Network } from '../access/source-address.ts'

/**
 * The blocks that IANA has allocated for routing (RFC 4291, section 2.4). ipaddr.js calls the unassigned rest unicast
 * as well.
 */
const GLOBAL_IPV6: Network = [ipaddr.parse('2000::'), 3]
/** In public space, but answers every virtual machine of Azure, with its secrets. */
const AZURE_HOST: Network = [ipaddr.parse('168.63.129.16'), 32]

/**
 * Whether an address is one of the open internet, or of a network that was allowed. IPv4 mapped into IPv6 counts as the
 * IPv4 address; every other way to write one into IPv6 (NAT64, 6to4, Teredo …) is refused, whichever it leads to.
 */
export function isPublicAddress(address: string, allowed: readonly Network[] = []): boolean {
  if (isIP(address) === 0) return false
  if (isWithin(address, allowed)) return true
  const read = ipaddr.process(address)
  if (read.range() !== 'unicast') return false
  return read.kind() === 'ipv6' ? isWithin(address, [GLOBAL_IPV6]) : !isWithin(address, [AZURE_HOST])
}
