// SPDX-License-Identifier: Apache-2.0
// Requests to the console. Every failure is an error whose text is one sentence.

import type {
  ActionOffered,
  ConversationListed,
  DeviceOffered,
  SettingOffered,
  KeyShown,
  LaboratoryShown,
  LinkOffered,
  NodeShown,
  NodeStatus,
  ScreenInvited,
} from "./records";

export class Refusal extends Error {
  constructor(
    readonly status: number,
    sentence: string,
  ) {
    super(sentence);
  }
}

export async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`/api/${path}`, {
      method,
      headers: body === undefined ? {} : { "content-type": "application/json" },
      body: body === undefined ? null : JSON.stringify(body),
    });
  } catch {
    throw new Refusal(0, "The console does not answer. Is `samara console` still running?");
  }
  if (response.status === 204) return undefined as T;
  const answer: unknown = await response.json().catch(() => null);
  if (response.ok) return answer as T;
  throw new Refusal(response.status, sentenceOf(answer, response.status));
}

export function sentenceOf(answer: unknown, status: number): string {
  const detail = (answer as { detail?: unknown } | null)?.detail;
  if (typeof detail === "string") return sentence(detail);
  if (Array.isArray(detail) && detail.length > 0) {
    return sentence(String((detail[0] as { msg?: unknown }).msg));
  }
  return `The console refused this with status ${status}.`;
}

export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

export const isToken = (text: string) => /^[\w-]{40,}$/.test(text);

// Exchanges the token behind the # of a printed address, and takes it out of the address.
export async function takeAccess(): Promise<void> {
  const token = location.hash.slice(1);
  if (!isToken(token)) return;
  history.replaceState(null, "", location.pathname + location.search);
  await ask("POST", "access", { token });
}

export const links = () => ask<LinkOffered[]>("GET", "links");

export const devices = () => ask<DeviceOffered[]>("GET", "devices");

export const nodes = () => ask<NodeShown[]>("GET", "nodes");

export const steerShown = (number: number, action: "start" | "end" | "kill") =>
  ask<{ sentence: string }>("POST", `nodes/${number}/${action}`);

export const sendFrom = (number: number, text: string) =>
  ask<{ sentence: string }>("POST", `nodes/${number}/messages`, { text });

export const conversations = () => ask<ConversationListed[]>("GET", "conversations");

export const converse = (link: string, options: Record<string, unknown>, device: string) =>
  ask<{ name: string }>("POST", "conversations", { link, options, device });

export const resume = (name: string) => ask<void>("POST", `conversations/${name}/start`);

export const close = (name: string) => ask<void>("POST", `conversations/${name}/close`);

export const remove = (name: string) => ask<void>("DELETE", `conversations/${name}`);

export const say = (name: string, end: string, text: string) =>
  ask<{ number: number }>("POST", `conversations/${name}/${end}/messages`, { text });

export const actions = (name: string) => ask<ActionOffered[]>("GET", `conversations/${name}/actions`);

export const perform = (name: string, action: string) =>
  ask<{ sentence: string }>("POST", `conversations/${name}/actions/${action}`);

export const airSettings = (name: string) => ask<SettingOffered[]>("GET", `conversations/${name}/settings`);

export const changeSetting = (name: string, setting: string, value: number) =>
  ask<{ sentence: string }>("PUT", `conversations/${name}/settings/${setting}`, { value });

export const showKey = (name: string) => ask<KeyShown>("POST", `conversations/${name}/show-key`);

export const inviteScreen = () => ask<ScreenInvited>("POST", "screens");

export const network = () => ask<LaboratoryShown>("GET", "network");

export const startNetwork = (nodes: number, topology: string, loss: number) =>
  ask<void>("POST", "network", { nodes, topology, loss });

export const endNetwork = () => ask<void>("DELETE", "network");

export const nodeOfNetwork = (node: string) => ask<NodeStatus>("GET", `network/nodes/${node}`);

export const steerNode = (node: string, what: string) =>
  ask<{ sentence: string }>("POST", `network/nodes/${node}/${what}`);

export const send = (what: string, source: string, destination: string) =>
  ask<{ sentence: string }>("POST", "network/traffic", { what, source, destination });
