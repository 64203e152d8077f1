// SPDX-License-Identifier: Apache-2.0
import { mount } from "svelte";

import App from "./App.svelte";
import "./app.css";
import { isToken } from "./lib/api";

// An address that was printed differs from the page that is open by its token alone.
addEventListener("hashchange", () => {
  if (isToken(location.hash.slice(1))) location.reload();
});

const target = document.getElementById("page");
if (target === null) throw new Error("index.html has no element for the page");
const screen = /^\/screen\/(left|right)$/.exec(location.pathname)?.[1];
if (screen === "left" || screen === "right") {
  const { default: Screen } = await import("./views/Screen.svelte");
  mount(Screen, { target, props: { end: screen } });
} else {
  mount(App, { target });
}
