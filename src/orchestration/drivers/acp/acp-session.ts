import type { Readable, Writable } from 'node:stream';
import type { HookEvent } from '../../../enforcement/hooks/hook-event.ts';
import type { AgentEnd, AgentRequest, AgentUsage } from '../agent-driver.ts';
import { activityLine, NO_USAGE } from '../agent-driver.ts';
import { judgeRequest } from '../cli/judge-request.ts';
import {
  initializedSchema,
  permissionSchema,
  promptedSchema,
  requestOf,
  sessionSchema,
  type ToolCall,
  updateSchema,
} from './acp-messages.ts';
import { RpcError, RpcPeer } from './json-rpc.ts';

/** How a prompt ended. */
export type AcpAnswer = Exclude<AgentEnd, { type: 'answered' }> | { type: 'said'; text: string };

type Acting = Extract<HookEvent, { type: 'acting' }>;

const PROTOCOL_VERSION = 1;
/** The protocol's own code. */
const AUTH_REQUIRED = -32000;

/** One session of an agent over the Agent Client Protocol. */
export class AcpSession {
  readonly #peer: RpcPeer;
  readonly #request: AgentRequest;
  /** Allowed actions that have not ended. */
  readonly #open = new Map<string, Acting>();
  #ended: AcpAnswer | undefined;
  #said = '';
  id: string | undefined;
  usage: AgentUsage = NO_USAGE;

  constructor(streams: { stdin: Writable; stdout: Readable }, request: AgentRequest) {
    this.#request = request;
    this.#peer = new RpcPeer(streams.stdout, streams.stdin, {
      request: (method, params) =>
        method === 'session/request_permission' ? this.#permit(params) : undefined,
      notification: (method, params) => {
        if (method === 'session/update') this.#update(params);
      },
    });
  }

  /** Ends everything that waits for the agent; the first reason counts. */
  end(how: AcpAnswer): void {
    this.#ended ??= how;
    this.#peer.close(new Error('the session has ended'));
  }

  async prompt(text: string): Promise<AcpAnswer> {
    try {
      this.id ??= await this.#begin();
      this.#said = '';
      const prompt = [{ type: 'text', text }];
      const answer = await this.#peer.request('session/prompt', { sessionId: this.id, prompt });
      return this.#read(promptedSchema.parse(answer));
    } catch (error) {
      return this.#ended ?? explain(error);
    }
  }

  async #begin(): Promise<string> {
    const { folder, session } = this.#request;
    const { agentCapabilities } = initializedSchema.parse(
      await this.#peer.request('initialize', {
        protocolVersion: PROTOCOL_VERSION,
        clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
        clientInfo: { name: 'guardkit', version: '1' },
      }),
    );
    const place = { cwd: folder, mcpServers: [] };
    if (session !== undefined && agentCapabilities?.loadSession) {
      try {
        await this.#peer.request('session/load', { sessionId: session, ...place });
        return session;
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        this.#request.onActivity('its earlier session is gone; starting a new one');
      }
    }
    return sessionSchema.parse(await this.#peer.request('session/new', place)).sessionId;
  }

  #read({ stopReason, usage }: ReturnType<typeof promptedSchema.parse>): AcpAnswer {
    if (usage)
      this.usage = {
        ...this.usage,
        inputTokens: this.usage.inputTokens + usage.inputTokens,
        outputTokens: this.usage.outputTokens + usage.outputTokens,
      };
    if (stopReason === 'end_turn') return { type: 'said', text: this.#said.trim() };
    return { type: 'unanswered', why: `it stopped with ${stopReason}` };
  }

  #update(params: unknown): void {
    const update = updateSchema.safeParse(params).data?.update;
    switch (update?.sessionUpdate) {
      case 'agent_message_chunk':
        this.#said += update.content.text;
        return;
      case 'tool_call':
        this.#said = '';
        this.#request.onActivity(activityLine(update.title ?? update.kind ?? 'tool'));
        return;
      case 'tool_call_update':
        if (update.status === 'completed' || update.status === 'failed') void this.#close(update.toolCallId);
        return;
      case 'usage_update':
        if (update.cost?.currency === 'USD') this.usage = { ...this.usage, costUsd: update.cost.amount };
        return;
      case undefined:
        return;
    }
  }

  /** Answers a permission request. Everything that cannot be judged is refused. */
  async #permit(params: unknown): Promise<object> {
    const { toolCall, options, sessionId } = permissionSchema.parse(params);
    const why = await this.#judge(toolCall, sessionId).catch((error: unknown) =>
      error instanceof Error ? error.message : String(error),
    );
    if (why !== undefined) this.#request.onActivity(activityLine('refused:', why));
    // Never for all later calls.
    const wanted = why === undefined ? 'allow_once' : 'reject_once';
    const option = options.find(({ kind }) => kind === wanted);
    const outcome = option ? { outcome: 'selected', optionId: option.optionId } : { outcome: 'cancelled' };
    return { outcome };
  }

  /** Why the call may not run. */
  async #judge(call: ToolCall, session: string): Promise<string | undefined> {
    const { guards, folder } = this.#request;
    const tool = call.kind ?? 'other';
    const request = requestOf(call);
    if (!request) return `${tool}: the agent does not show what it would do`;
    const event: Acting = {
      type: 'acting',
      action: call.toolCallId,
      tool,
      request,
      source: { agent: 'acp', session, cwd: folder, actorType: undefined, actorId: undefined, canAsk: false },
    };
    const answer = guards && (await guards.handle(event));
    if (answer && answer.decision !== 'go') return answer.reason ?? 'GuardKit refused this';
    const why = judgeRequest(event, this.#request, { ownTool: () => undefined, confinesItself: false });
    if (why !== undefined) await guards?.refuse(event, why);
    else if (guards) this.#open.set(call.toolCallId, event);
    return why;
  }

  async #close(id: string): Promise<void> {
    const event = this.#open.get(id);
    if (!event || !this.#open.delete(id)) return;
    const { source, action } = event;
    try {
      await this.#request.guards?.handle({ type: 'acted', source, action, tookMs: undefined });
    } catch {
      // Safe: the end of the run closes open actions.
    }
  }
}

function explain(error: unknown): AcpAnswer {
  const why = error instanceof Error ? error.message : String(error);
  if (error instanceof RpcError && error.code === AUTH_REQUIRED) return { type: 'locked_out', why };
  if (/\b(?:401|403)\b|unauthori[sz]ed|not logged in|authentication/i.test(why))
    return { type: 'locked_out', why };
  if (/\b(?:429|503|529)\b|rate.?limit|quota|overloaded/i.test(why))
    return { type: 'rate_limited', why, resetsAt: undefined };
  return { type: 'crashed', why };
}
