// SPDX-License-Identifier: Apache-2.0
import { mount } from "svelte";

import App from "./App.svelte";
import "./app.css";
import Screen from "./views/Screen.svelte";

const target = document.getElementById("page");
if (target === null) throw new Error("index.html has no element for the page");
const screen = /^\/screen\/(left|right)$/.exec(location.pathname)?.[1];
if (screen === "left" || screen === "right") mount(Screen, { target, props: { end: screen } });
else mount(App, { target });
