"use strict";
(() => {
  const steps = [...document.querySelectorAll(".step")];
  const stepper = document.getElementById("stepper");
  const buttons = [...stepper.querySelectorAll("button")];
  const last = steps.length - 1;
  const keys = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last" };
  const targets = { first: () => 0, back: () => shown - 1, forward: () => shown + 1, last: () => last };
  let shown = 0;

  function show(number) {
    shown = Math.min(Math.max(number, 0), last);
    steps.forEach((step, index) => step.classList.toggle("current", index === shown));
    const position = `${stepper.dataset.step} ${shown} ${stepper.dataset.of} ${last}`;
    document.getElementById("position").textContent = position;
    const heading = steps[shown].querySelector("h2").textContent;
    const told = steps[shown].querySelector(".told").textContent.replace(/\s+/g, " ");
    document.getElementById("spoken").textContent = `${position}. ${heading}. ${told}`;
    for (const button of buttons) {
      const ahead = button.dataset.go === "forward" || button.dataset.go === "last";
      button.setAttribute("aria-disabled", String(shown === (ahead ? last : 0)));
    }
  }

  stepper.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (button) show(targets[button.dataset.go]());
  });
  document.addEventListener("keydown", (event) => {
    const go = keys[event.key];
    if (!go || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(targets[go]());
  });
  document.documentElement.classList.add("stepping");
  stepper.hidden = false;
  const named = steps.findIndex((step) => `#${step.id}` === location.hash);
  show(named);
})();
