/**
 * The only writer of the chain, in one call and so in one transaction. A worker whose claim was taken over or released
 * is refused. It runs with its owner's rights, so that workers and people need none to write entries themselves. Error codes:
 * GK001 the claim is lost, GK002 the tip has moved, GK003 the entry exists, GK004 the project is unknown, GK005 a build's
 * entry without a claim (a trigger's, queue-schema.ts).
 */
export const APPEND_FUNCTION = `
CREATE FUNCTION guardkit_queue.link(chain text, prev text, VARIADIC parts text[]) RETURNS text
LANGUAGE sql IMMUTABLE AS $$
  SELECT encode(sha256(convert_to(
    (SELECT string_agg(octet_length(convert_to(part, 'UTF8')) || ':' || part, '' ORDER BY place)
     FROM unnest(ARRAY[chain, prev] || parts) WITH ORDINALITY AS p(part, place)), 'UTF8')), 'hex')
$$;

CREATE FUNCTION guardkit_queue.append(
  p_project text, p_feature text, p_epoch integer, p_worker text,
  p_machine text, p_machine_number bigint, p_machine_hash text, p_batch text, p_entries jsonb
) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  head guardkit_queue.project;
  entry jsonb;
  first bigint;
  at bigint := (extract(epoch FROM clock_timestamp()) * 1000)::bigint;
BEGIN
  IF p_epoch > 0 THEN
    PERFORM 1 FROM guardkit_queue.claim c JOIN guardkit_queue.worker w ON w.id = c.worker
      WHERE c.project = p_project AND c.feature = p_feature AND c.epoch = p_epoch AND c.worker = p_worker
        AND c.released_at IS NULL AND w.ended_at IS NULL
      FOR SHARE OF c;
    IF NOT FOUND THEN RAISE EXCEPTION 'claim lost' USING ERRCODE = 'GK001'; END IF;
  END IF;
  SELECT * INTO head FROM guardkit_queue.project WHERE project = p_project FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'unknown project' USING ERRCODE = 'GK004'; END IF;
  SELECT number INTO first FROM guardkit_queue.entry WHERE project = p_project AND batch = p_batch;
  IF FOUND THEN RETURN first; END IF;
  first := head.number + 1;
  FOR entry IN SELECT value FROM jsonb_array_elements(p_entries) LOOP
    IF entry->>'kind' = 'feature_stacked' THEN
      IF (entry->>'body')::jsonb->>'before' <> head.tip THEN
        RAISE EXCEPTION 'tip moved' USING ERRCODE = 'GK002';
      END IF;
      head.tip := (entry->>'body')::jsonb->>'commit';
    END IF;
    head.number := head.number + 1;
    INSERT INTO guardkit_queue.entry VALUES (
      p_project, head.number, entry->>'kind', at, entry->>'body', p_worker, p_feature, p_epoch,
      p_machine, p_machine_number, p_machine_hash, entry->>'key',
      CASE WHEN head.number = first THEN p_batch END, head.hash,
      guardkit_queue.link(head.chain, head.hash, p_project, head.number::text, entry->>'kind', at::text, entry->>'body',
        p_worker, p_feature, p_epoch::text, p_machine, p_machine_number::text, p_machine_hash))
      RETURNING hash INTO head.hash;
  END LOOP;
  UPDATE guardkit_queue.project SET number = head.number, hash = head.hash, tip = head.tip WHERE project = p_project;
  RETURN first;
EXCEPTION WHEN unique_violation THEN
  RAISE EXCEPTION 'exists' USING ERRCODE = 'GK003';
END $$;
`;
