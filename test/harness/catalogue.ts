import type { SingleClient } from '../../src/platform/db/client.ts'

/** How the chunks of imports are stored depends on whether the server has lz4. */
const HAS_ONE_STORAGE = `c.relname <> 'import_chunks'`

/** Each query returns the name of an object, and one line about it, ordered by `at`. */
const LINES: readonly string[] = [
  // Tables and views
  `select c.relname as object, 0 as at, json_build_array('relation', c.relkind, c.relpersistence, c.reloptions,
     (select reloptions from pg_class t where t.oid = c.reltoastrelid), c.relrowsecurity, c.relforcerowsecurity, c.relreplident,
     pg_get_userbyid(c.relowner), c.relacl, obj_description(c.oid, 'pg_class'), pg_get_viewdef(c.oid)) as line
   from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind not in ('i', 'c')`,
  `select c.relname, a.attnum, json_build_array('column', a.attnum, a.attname, a.attisdropped, format_type(a.atttypid, a.atttypmod), a.attnotnull,
     a.attgenerated, a.attidentity, pg_get_expr(d.adbin, d.adrelid), case when ${HAS_ONE_STORAGE} then a.attstorage::text || a.attcompression::text end, a.attcollation::regcollation, a.attacl,
     a.attoptions, a.attstattarget, col_description(c.oid, a.attnum))
   from pg_attribute a join pg_class c on c.oid = a.attrelid left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v') and a.attnum > 0`,
  `select conrelid::regclass::text, 10000, json_build_array('constraint', conname, pg_get_constraintdef(oid), convalidated, conenforced,
     obj_description(oid, 'pg_constraint'))
   from pg_constraint where connamespace = 'public'::regnamespace`,
  `select indrelid::regclass::text, 20000, json_build_array('index', pg_get_indexdef(indexrelid), indisvalid, indisclustered, obj_description(indexrelid, 'pg_class'))
   from pg_index join pg_class i on i.oid = indexrelid where i.relnamespace = 'public'::regnamespace`,
  `select polrelid::regclass::text, 30000, json_build_array('policy', polname, polcmd, polpermissive, polroles::regrole[], pg_get_expr(polqual, polrelid),
     pg_get_expr(polwithcheck, polrelid)) from pg_policy`,
  `select tgrelid::regclass::text, 40000, json_build_array('trigger', tgenabled, pg_get_triggerdef(oid)) from pg_trigger where not tgisinternal`,
  // Functions, but for those that extensions bring
  `select p.oid::regprocedure::text, 0, json_build_array('function', pg_get_functiondef(p.oid), pg_get_userbyid(p.proowner), p.proacl,
     obj_description(p.oid, 'pg_proc'))
   from pg_proc p where p.pronamespace = 'public'::regnamespace and not exists (select from pg_depend where objid = p.oid and deptype = 'e')`,
  `select 'extension ' || extname, 0, json_build_array(extnamespace::regnamespace::text) from pg_extension`,
  `select 'type ' || typname, 0, json_build_array(typtype, typbasetype::regtype) from pg_type
   where typnamespace = 'public'::regnamespace and typtype in ('d', 'e', 'r')`,
  `select 'schema ' || nspname, 0, json_build_array(nspacl, pg_get_userbyid(nspowner)) from pg_namespace where nspname = 'public'`,
  `select 'default privileges', 0, json_build_array(defaclobjtype, defaclacl) from pg_default_acl`,
  // Rows that the migrations bring
  `select 'scheduled_runs', 50000, json_build_array('row', name) from scheduled_runs`,
]

/** Tables, functions and extensions in the catalogue of a database, by name. */
export async function catalogueOf(client: SingleClient): Promise<Record<string, string[]>> {
  const union = LINES.map((query) => `(${query})`).join(' union all ')
  const { rows } = await client.query<{ object: string; line: string }>(
    `select object, line::text from (${union}) all_lines order by object collate "C", at, line::text collate "C"`,
  )
  const found: Record<string, string[]> = {}
  for (const { object, line } of rows) {
    found[object] ??= []
    found[object].push(line)
  }
  return found
}
